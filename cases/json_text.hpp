// JSON from files that nobody vouches for.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace quadpair::cases {

/// The text as JSON. Throws DataError naming `file` when it is not JSON, repeats a key of one object, or is
/// nested deeper than any real file (64 levels).
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// As above; the document must also satisfy the embedded JSON Schema of that name
/// ("cases/suites/suite.schema.json"). The message names the place as a JSON pointer.
nlohmann::json parse_json(std::string_view text, const std::string& file, std::string_view schema);

}  // namespace quadpair::cases
