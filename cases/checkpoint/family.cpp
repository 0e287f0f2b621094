#include "cases/checkpoint/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"

namespace quadpair::cases {

std::vector<std::string> family_names() {
  return {"bert", "gemma", "llama", "qwen3-next", "qwen3.5", "whisper"};
}

Family load_family(const std::string& name) {
  const std::string file = fmt::format("cases/families/{}.json", name);
  const auto embedded = find_embedded(file);
  if (!embedded)
    throw DataError(
        fmt::format("family '{}' is not known; there are {}", name, fmt::join(family_names(), ", ")));
  return parse_family(embedded->text(), file);
}

Family parse_family(std::string_view text, const std::string& file) {
  Family family{file, parse_json(text, file, "cases/families/family.schema.json")};
  return family;
}

Family family_of(const ModelConfig& config, const std::vector<std::string>& tensors) {
  if (const auto own = config.json.find(family_in_config); own != config.json.end())
    return parse_family(own->dump(), fmt::format("{}: {}", config.file, family_in_config));
  const std::vector<std::string> architectures = config.architectures();
  for (const std::string& name : family_names()) {
    Family family = load_family(name);
    for (const nlohmann::json& known : family.json["architectures"])
      if (std::find(architectures.begin(), architectures.end(), known.get<std::string>()) !=
          architectures.end())
        return family;
  }
  if (config.json.empty())
    throw DataError(fmt::format("{}: missing or empty, so nothing says of which family the model is ({})",
                                config.file, fmt::join(family_names(), ", ")));
  constexpr std::ptrdiff_t shown = 12;
  const std::vector<std::string> first(tensors.begin(),
                                       tensors.begin() + std::min(std::ssize(tensors), shown));
  throw DataError(
      fmt::format("{}: architecture {} is in no family ({}). It has {} tensors{}{}{}", config.file,
                  architectures.empty() ? "(none given)" : fmt::format("{}", fmt::join(architectures, ", ")),
                  fmt::join(family_names(), ", "), tensors.size(), first.empty() ? "" : ": ",
                  fmt::join(first, ", "), std::ssize(tensors) > shown ? ", ..." : ""));
}

std::uint32_t Projection::rows() const {
  std::uint32_t rows = 0;
  for (const Part& part : parts) rows += part.rows();
  return rows;
}

}  // namespace quadpair::cases
