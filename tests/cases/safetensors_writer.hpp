// Safetensors files for tests, sound or not.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::cases::testing {

/// Header length, header, data.
inline std::vector<std::byte> file_bytes(const std::string& header, const std::string& data,
                                         std::uint64_t length) {
  std::vector<std::byte> bytes;
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(length >> (8 * i)));
  for (char c : header + data) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

inline std::vector<std::byte> file_bytes(const std::string& header, const std::string& data) {
  return file_bytes(header, data, header.size());
}

/// A file that is gone when the test is. Tests run at the same time: the name holds the process.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text)
      : path_(std::filesystem::temp_directory_path() / ("quadpair-test-" + std::to_string(::getpid()))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  explicit TemporaryFile(const std::vector<std::byte>& bytes)
      : TemporaryFile(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace quadpair::cases::testing
