#include "harness/run/head/head_on_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "harness/compare/check.hpp"
#include "harness/compare/hash.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/route.hpp"
#include "harness/run/schedule.hpp"

namespace quadpair::run {
namespace {

constexpr std::string_view screened[] = {"qpn8/gemm", "lm_head/screen", "lm_head/rerank:lm_head_score",
                                         "lm_head/rerank:lm_head_top", "lm_head/dense"};
constexpr std::string_view by_tensor_cores[] = {"lm_head/top1:lm_head_top1_logits",
                                                "lm_head/top1:lm_head_first_maximum"};

class Borrowed final : public DeviceMemory {
 public:
  explicit Borrowed(device::Buffer& buffer) : buffer_(buffer) {}
  DevicePtr address() const override { return buffer_.address(); }
  void upload(std::span<const std::byte> data) override { buffer_.upload(data); }

 private:
  device::Buffer& buffer_;
};

template <class T>
std::vector<T> content(const device::Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  buffer.download(std::as_writable_bytes(std::span(values)));
  return values;
}

class HeadOnDevice {
 public:
  HeadOnDevice(device::Device& device, const HeadProblem& problem, const PreparedHead& prepared,
               const ModuleLookup& find_module)
      : device_(device),
        problem_(problem),
        prepared_(prepared),
        find_module_(find_module),
        buffers_(device),
        n_(problem.n),
        k_(problem.k) {}

  HeadActual run(const std::vector<std::vector<std::uint16_t>>& rounds);

 private:
  device::Buffer& output(const char* name, std::size_t elements, std::size_t size);
  std::vector<Launch> ready(std::vector<Launch> launches);
  void prepare();
  void check_prepared(const std::vector<const device::Buffer*>& made);
  void place(const std::vector<std::uint16_t>& x);
  std::vector<Launch> launches() const;
  void poison();
  void collect(std::string name, std::size_t round);

  device::Device& device_;
  const HeadProblem& problem_;
  const PreparedHead& prepared_;
  const ModuleLookup& find_module_;
  DeviceBuffers buffers_;
  const std::uint32_t n_, k_;
  std::optional<lm_head::Head> head_;
  device::Buffer* x_ = nullptr;
  device::Buffer *logits_ = nullptr, *candidates_ = nullptr, *scores_ = nullptr, *values_ = nullptr,
                 *ids_ = nullptr, *dense_ = nullptr;
  std::vector<device::Buffer*> outputs_;
  std::size_t runs_ = 0;
  HeadActual actual_;
};

std::vector<Launch> HeadOnDevice::ready(std::vector<Launch> launches) {
  launches = looked_up(std::move(launches), find_module_);
  add_kernels(launches, device_, actual_.kernels);
  return launches;
}

/// The buffers that preparation made against the reference's, and their bytes against the ledger's.
void HeadOnDevice::check_prepared(const std::vector<const device::Buffer*>& made) {
  std::array<std::uint32_t, 1> held{}, ledger{};
  for (const StorageItem& item : lm_head::storage(n_, k_, problem_.top1))
    ledger[0] +=
        static_cast<std::uint32_t>(item.bytes / 2);  // in FP16 numbers: a production head fits 32 bits
  const std::size_t elements = std::size_t{n_} * k_;
  for (const device::Buffer* buffer : made) {
    const std::string& name = buffer->name();
    const auto check = [&](const char* what, auto expected) {
      using T = typename decltype(expected)::value_type;
      actual_.checks.push_back(compare::bitwise(
          what, expected, std::span<const T>(content<T>(*buffer, buffer->bytes() / sizeof(T)))));
    };
    if (name == "fp8_codes") check("codes", std::span(prepared_.fp8.codes));
    if (name == "fp8_scales") {
      std::vector<std::uint32_t> bits(n_);
      std::memcpy(bits.data(), prepared_.fp8.scales.data(), n_ * sizeof(float));
      check("scales", std::span<const std::uint32_t>(bits));
    }
    if (name == "qpn8_codes") check("packed codes", std::span(prepared_.packed_codes));
    if (name == "qpn8_scales") check("packed scales", std::span(prepared_.packed_scales));
    if (name == "lm_head_packed")
      check("packed head",
            std::span<const std::uint16_t>(reference::pack_head(prepared_.head->weights, n_, k_)));
    if (name == "lm_head_fp16" && buffer->bytes() != elements * 2)
      throw device::Fault("the FP16 head has another size");
    if (!name.starts_with("fp8_")) held[0] += static_cast<std::uint32_t>(buffer->bytes() / 2);
  }
  actual_.checks.push_back(compare::bitwise("ledger", std::span<const std::uint32_t>(ledger),
                                            std::span<const std::uint32_t>(held)));
}

void HeadOnDevice::prepare() {
  std::vector<const device::Buffer*> made;
  const Allocate allocate = [&](std::string_view name, std::size_t bytes) {
    device::Buffer& buffer = buffers_.output(std::string(name), bytes, poisons[0]);
    made.push_back(&buffer);
    return std::make_unique<Borrowed>(buffer);
  };
  const Execute execute = [&](std::span<const Launch> launches) {
    device_.run(ready({launches.begin(), launches.end()}));
  };
  head_.emplace(weights_of(*prepared_.head), problem_.top1, problem_.target, allocate, execute);
  check_prepared(made);
  buffers_.freeze_outputs();
}

device::Buffer& HeadOnDevice::output(const char* name, std::size_t elements, std::size_t size) {
  device::Buffer& buffer = buffers_.output(name, std::max<std::size_t>(elements, 1) * size, poisons[0]);
  outputs_.push_back(&buffer);
  return buffer;
}

void HeadOnDevice::place(const std::vector<std::uint16_t>& x) {
  const std::size_t m = problem_.m, top = problem_.top;
  x_ = &buffers_.input("x", bytes_of(x));
  logits_ = &output("logits", m * problem_.ld(), 2);
  actual_.workspace_bytes = logits_->bytes();
  if (problem_.top1) {
    values_ = &output("values", m, 2);
    ids_ = &output("ids", m, 4);
    return;
  }
  candidates_ = &output("candidates", m * problem_.candidates(), 4);
  scores_ = &output("scores", m * problem_.candidates(), 4);
  values_ = &output("values", m * top, 4);
  ids_ = &output("ids", m * top, 4);
  dense_ = &output("dense logits", m * n_, 4);
  actual_.workspace_bytes += candidates_->bytes() + scores_->bytes();
}

std::vector<Launch> HeadOnDevice::launches() const {
  HeadPlaces places;
  places.x = x_->address();
  places.logits = logits_->address();
  places.values = values_->address();
  places.ids = ids_->address();
  if (problem_.top1) return first_maximum(problem_, *head_, places);
  places.candidates = candidates_->address();
  places.scores = scores_->address();
  places.dense = dense_->address();
  std::vector<Launch> all = screen_and_rerank(problem_, *head_, places);
  for (Launch& launch : dense_head(problem_, *head_, places)) all.push_back(std::move(launch));
  return all;
}

void HeadOnDevice::poison() {
  const std::uint8_t pattern = poisons[runs_++ % poisons.size()];
  for (device::Buffer* buffer : outputs_) buffer->fill(pattern);
}

void HeadOnDevice::collect(std::string name, std::size_t round) {
  const std::size_t m = problem_.m;
  if (m == 0) return;
  HeadOutput output;
  output.name = std::move(name);
  output.round = round;
  const auto padded = content<std::uint16_t>(*logits_, m * problem_.ld());
  for (std::size_t row = 0; row < m; ++row) {
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(row * problem_.ld());
    output.logits.insert(output.logits.end(), first, first + n_);
  }
  if (problem_.top1) {
    output.maxima = content<std::uint16_t>(*values_, m);
    output.ids = content<std::uint32_t>(*ids_, m);
  } else {
    output.candidates = content<std::uint32_t>(*candidates_, m * problem_.candidates());
    output.values = content<std::uint32_t>(*values_, m * problem_.top);
    output.ids = content<std::uint32_t>(*ids_, m * problem_.top);
    output.dense = content<std::uint32_t>(*dense_, m * n_);
  }
  each_array(problem_, [&](std::string_view array, auto member, std::uint32_t) {
    actual_.fingerprints.push_back(
        {fmt::format("{}, {}", array, output.name), compare::hash(bytes_of(output.*member))});
  });
  actual_.outputs.push_back(std::move(output));
}

HeadActual HeadOnDevice::run(const std::vector<std::vector<std::uint16_t>>& rounds) {
  prepare();
  place(rounds.at(0));
  const std::vector<Launch> work = ready(launches());
  add_kernels(work, device_, actual_.route);
  std::span<const std::string_view> kernels = screened;
  if (problem_.top1) kernels = by_tensor_cores;
  if (problem_.m == 0) kernels = {};
  BufferChecks route = route_check(kernels, work);
  actual_.checks.push_back(std::move(route.check));
  actual_.notes += route.note;
  device_.take_cost();  // preparation is not part of the operators' cost
  poison();
  device_.run(work);
  actual_.cost = device_.take_cost();
  collect("eager", 0);
  const auto graph = device_.capture(work);
  for (std::size_t round = 1; round < rounds.size(); ++round) {
    buffers_.change(*x_, bytes_of(rounds[round]));
    poison();
    graph->replay();
    collect(fmt::format("replay {}", round), round);
  }
  if (runs_eagerly_again(problem_.m, n_, k_)) {
    poison();
    device_.run(work);
    collect("eager again", rounds.size() - 1);
  }
  buffers_.inspect();
  for (BufferChecks found : {buffers_.guards(), buffers_.inputs()}) {
    actual_.checks.push_back(std::move(found.check));
    actual_.notes += found.note;
  }
  return std::move(actual_);
}

}  // namespace

HeadActual run_head_on_device(device::Device& device, const HeadProblem& problem, const PreparedHead& head,
                              const std::vector<std::vector<std::uint16_t>>& rounds,
                              const ModuleLookup& find_module) {
  return HeadOnDevice(device, problem, head, find_module).run(rounds);
}

}  // namespace quadpair::run
