#include "harness/run/head/prepared_head.hpp"

#include <utility>

#include "harness/compare/sha256.hpp"
#include "harness/compare/trust.hpp"

namespace quadpair::run {
namespace {

std::shared_ptr<const cases::HeadMatrix> checked(std::shared_ptr<const cases::HeadMatrix> head) {
  lm_head::prepare(weights_of(*head));
  return head;
}

reference::Fp8View view_of(const cases::HeadMatrix& head, const reference::Fp8Matrix& fp8) {
  return {head.n, head.k, reference::Fp8Scales::channel, fp8.codes, fp8.scales};
}

}  // namespace

lm_head::HeadWeights weights_of(const cases::HeadMatrix& head) {
  return {head.name, head.n, head.k, head.first_id, head.vocabulary, head.weights};
}

PreparedHead::PreparedHead(std::shared_ptr<const cases::HeadMatrix> of)
    : head(checked(std::move(of))),
      sha256(compare::sha256({std::as_bytes(std::span(head->weights))})),
      fp8(reference::quantize_fp8(head->weights, head->n, head->k)),
      packed_codes(reference::pack_qpn8_codes(view_of(*head, fp8))),
      packed_scales(reference::pack_qpn8_scales(view_of(*head, fp8))),
      rows_(reference::decode_qpn8(view_of(*head, fp8))),
      coverage_(compare::cover_fp8(fp8.codes, rows_)) {
  decoded_.emplace(rows_, head->n, head->k);
}

const reference::GemmMatrix& PreparedHead::exact() const {
  const std::lock_guard lock(mutex_);
  if (!exact_) exact_.emplace(head->weights, head->n, head->k);
  return *exact_;
}

const std::vector<double>& PreparedHead::errors(const AccumulationPlan& plan, reference::Model model) const {
  const std::lock_guard lock(mutex_);
  std::vector<double>& errors = errors_[model];
  if (errors.empty())
    errors = reference::screening_errors(head->weights, rows_, head->n, plan, model, DotPlan{});
  return errors;
}

std::shared_ptr<const PreparedHead> HeadCache::head(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->head->name != name) {
    last_.reset();  // before the next is made: two production heads would not fit
    last_ = std::make_shared<const PreparedHead>(slices_->load_lm_head(name, seed_));
  }
  return last_;
}

}  // namespace quadpair::run
