#include "harness/run/base64.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quadpair::run {
namespace {

TEST(Base64, AsTheStandardHasIt) {  // test vectors of RFC 4648, section 10
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, LongOnesComeBack) {
  std::string bytes((std::size_t{3} << 20) + 1, '\0');  // a piece and a byte
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 3);
  EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* wrong : {"Zg=", "Z!==", "====", "Zm9vZ"})
    EXPECT_THROW(from_base64(wrong), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace quadpair::run
