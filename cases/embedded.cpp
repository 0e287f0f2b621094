#include "cases/embedded.hpp"

#include "cmake/embed.hpp"

QUADPAIR_EMBED(quadpair_embedded_real_slices, "real/real-slices.safetensors");
QUADPAIR_EMBED(quadpair_embedded_suite_schema, "suites/suite.schema.json");
QUADPAIR_EMBED(quadpair_embedded_suite_default, "suites/default.json");
QUADPAIR_EMBED(quadpair_embedded_suite_edges, "suites/edges.json");
QUADPAIR_EMBED(quadpair_embedded_suite_production, "suites/production.json");
QUADPAIR_EMBED(quadpair_embedded_suite_shared_codes, "suites/shared-codes.json");
QUADPAIR_EMBED(quadpair_embedded_suite_shared_codes_real, "suites/shared-codes-real.json");
QUADPAIR_EMBED(quadpair_embedded_suite_compact_scales, "suites/compact-scales.json");
QUADPAIR_EMBED(quadpair_embedded_suite_compact_scales_real, "suites/compact-scales-real.json");
QUADPAIR_EMBED(quadpair_embedded_suite_wide, "suites/wide.json");
QUADPAIR_EMBED(quadpair_embedded_suite_qpn8, "suites/qpn8.json");
QUADPAIR_EMBED(quadpair_embedded_suite_lm_head, "suites/lm-head.json");
QUADPAIR_EMBED(quadpair_embedded_suite_lm_head_real, "suites/lm-head-real.json");
QUADPAIR_EMBED(quadpair_embedded_family_schema, "families/family.schema.json");
QUADPAIR_EMBED(quadpair_embedded_family_bert, "families/bert.json");
QUADPAIR_EMBED(quadpair_embedded_family_gemma, "families/gemma.json");
QUADPAIR_EMBED(quadpair_embedded_family_llama, "families/llama.json");
QUADPAIR_EMBED(quadpair_embedded_family_qwen3_next, "families/qwen3-next.json");
QUADPAIR_EMBED(quadpair_embedded_family_qwen3_5, "families/qwen3.5.json");
QUADPAIR_EMBED(quadpair_embedded_family_whisper, "families/whisper.json");
QUADPAIR_EMBED(quadpair_embedded_model_production, "models/production-27b/config.json");
QUADPAIR_EMBED(quadpair_embedded_survivors_schema, "mutants/survivors.schema.json");
QUADPAIR_EMBED(quadpair_embedded_survivors, "mutants/survivors.json");

namespace quadpair::cases {

std::optional<EmbeddedFile> find_embedded(std::string_view name) {
  const EmbeddedFile files[] = {
      {real_slices_file, {quadpair_embedded_real_slices_begin, quadpair_embedded_real_slices_end}},
      {"cases/suites/suite.schema.json",
       {quadpair_embedded_suite_schema_begin, quadpair_embedded_suite_schema_end}},
      {"cases/suites/default.json",
       {quadpair_embedded_suite_default_begin, quadpair_embedded_suite_default_end}},
      {"cases/suites/edges.json", {quadpair_embedded_suite_edges_begin, quadpair_embedded_suite_edges_end}},
      {"cases/suites/production.json",
       {quadpair_embedded_suite_production_begin, quadpair_embedded_suite_production_end}},
      {"cases/suites/shared-codes.json",
       {quadpair_embedded_suite_shared_codes_begin, quadpair_embedded_suite_shared_codes_end}},
      {"cases/suites/shared-codes-real.json",
       {quadpair_embedded_suite_shared_codes_real_begin, quadpair_embedded_suite_shared_codes_real_end}},
      {"cases/suites/compact-scales.json",
       {quadpair_embedded_suite_compact_scales_begin, quadpair_embedded_suite_compact_scales_end}},
      {"cases/suites/compact-scales-real.json",
       {quadpair_embedded_suite_compact_scales_real_begin, quadpair_embedded_suite_compact_scales_real_end}},
      {"cases/suites/qpn8.json", {quadpair_embedded_suite_qpn8_begin, quadpair_embedded_suite_qpn8_end}},
      {"cases/suites/lm-head.json",
       {quadpair_embedded_suite_lm_head_begin, quadpair_embedded_suite_lm_head_end}},
      {"cases/suites/lm-head-real.json",
       {quadpair_embedded_suite_lm_head_real_begin, quadpair_embedded_suite_lm_head_real_end}},
      {"cases/suites/wide.json", {quadpair_embedded_suite_wide_begin, quadpair_embedded_suite_wide_end}},
      {"cases/families/family.schema.json",
       {quadpair_embedded_family_schema_begin, quadpair_embedded_family_schema_end}},
      {"cases/families/bert.json", {quadpair_embedded_family_bert_begin, quadpair_embedded_family_bert_end}},
      {"cases/families/gemma.json",
       {quadpair_embedded_family_gemma_begin, quadpair_embedded_family_gemma_end}},
      {"cases/families/llama.json",
       {quadpair_embedded_family_llama_begin, quadpair_embedded_family_llama_end}},
      {"cases/families/qwen3-next.json",
       {quadpair_embedded_family_qwen3_next_begin, quadpair_embedded_family_qwen3_next_end}},
      {"cases/families/qwen3.5.json",
       {quadpair_embedded_family_qwen3_5_begin, quadpair_embedded_family_qwen3_5_end}},
      {"cases/families/whisper.json",
       {quadpair_embedded_family_whisper_begin, quadpair_embedded_family_whisper_end}},
      {"cases/models/production-27b/config.json",
       {quadpair_embedded_model_production_begin, quadpair_embedded_model_production_end}},
      {"cases/mutants/survivors.schema.json",
       {quadpair_embedded_survivors_schema_begin, quadpair_embedded_survivors_schema_end}},
      {"cases/mutants/survivors.json", {quadpair_embedded_survivors_begin, quadpair_embedded_survivors_end}},
  };
  for (const EmbeddedFile& file : files)
    if (file.name == name) return file;
  return std::nullopt;
}

}  // namespace quadpair::cases
