#include "tests/fuzz/checkpoint_input.hpp"

#include <string>
#include <string_view>

#include "cases/checkpoint/checkpoint.hpp"
#include "cases/checkpoint/family.hpp"
#include "cases/checkpoint/read_fp8.hpp"
#include "cases/checkpoint/read_nvfp4.hpp"
#include "cases/checkpoint/shard.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"
#include "cases/suite_expand.hpp"

namespace quadpair::fuzz {
namespace {

using namespace quadpair::cases;

template <class Action>
void refusable(const Action& action) {
  try {
    action();
  } catch (const DataError&) {  // NOLINT(bugprone-empty-catch): what bad input should meet
  }
}

/// Every matrix that a tensor's name may stand for.
void read_file(std::span<const std::byte> bytes) {
  const Safetensors file(bytes, "file");
  const FileOf files = [&](const std::string&) -> const Safetensors& { return file; };
  for (const auto& [name, tensor] : file.tensors()) {
    const std::string module = name.substr(0, name.find(".weight"));
    for (const Nvfp4Format& format : {compressed_tensors_nvfp4, modelopt_nvfp4})
      refusable([&] { read_nvfp4(files, module, format); });
    for (const std::string_view scales : {".weight_scale", ".weight_scale_inv"})
      refusable([&] { read_fp8(files, module, {scales}); });
  }
  if (const auto text = file.metadata().find(config_in_metadata); text != file.metadata().end())
    parse_model_config(text->second, "config");
}

void read_family(const Family& family, const ModelConfig& config) {
  for (const Projection& projection : projections_of(family, config))
    for (const std::uint32_t tp : {1u, 4u}) refusable([&] { cuts_of(projection, tp - 1, tp); });
}

void read_config(std::string_view text) {
  const ModelConfig config = parse_model_config(text, "config.json");
  refusable([&] {
    if (const auto format = declared_format(config, std::nullopt))
      format->ignores("model.layers.0.mlp.up_proj");
  });
  read_family(family_of(config, {"a.weight"}), config);
}

}  // namespace

void read_checkpoint_input(std::span<const std::byte> input) {
  if (input.empty()) return;
  const std::span<const std::byte> rest = input.subspan(1);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  refusable([&] {
    switch (static_cast<char>(input[0])) {
      case 'h': read_file(rest); break;
      case 'i': parse_index(text, "index"); break;
      case 'c': read_config(text); break;
      case 'q': parse_hf_quant_config(parse_json(text, "quant"), "quant").ignores("lm_head"); break;
      case 'f':
        read_family(parse_family(text, "family"), parse_model_config(R"({"a":64,"b":16,"c":3})", "config"));
        break;
      case 's': expand_suite(parse_json(text, "suite", "cases/suites/suite.schema.json"), "suite"); break;
      default: break;
    }
  });
}

}  // namespace quadpair::fuzz
