// Checkpoints made by tests: a folder that is gone when the test is.
#pragma once

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/checkpoint/safetensors_writer.hpp"
#include "cases/error.hpp"
#include "cases/random.hpp"

namespace quadpair::cases::testing {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline NewTensor f32(std::vector<std::uint64_t> shape, const std::vector<float>& values) {
  return {"F32", std::move(shape), bytes_of(values)};
}

/// Bytes of a stream, each at most `most`.
inline std::string drawn(std::size_t count, const RandomStream& stream, unsigned most = 255) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(stream(i) % (most + 1));
  return bytes;
}

/// Tensors by name, and what is drawn for them.
struct Tensors : std::map<std::string, NewTensor> {
  /// "X" in compressed-tensors' form, with divisor d.
  void add_packed(const std::string& x, std::uint64_t n, std::uint64_t k, float d) {
    (*this)[x + ".weight_packed"] = {"U8", {n, k / 2}, drawn(n * k / 2, RandomStream(1, x))};
    (*this)[x + ".weight_scale"] = {"F8_E4M3", {n, k / 16}, drawn(n * k / 16, RandomStream(2, x), 0x7E)};
    (*this)[x + ".weight_global_scale"] = f32({1}, {d});
  }

  /// "X" in FP8 with FP32 scales of that shape, between 2^-10 and 2^-9, in tensor "X" + `scales`.
  void add_fp8(const std::string& x, std::uint64_t n, std::uint64_t k, const std::string& scales,
               const std::vector<std::uint64_t>& shape) {
    std::string codes = drawn(n * k, RandomStream(4, x), 0xFE);
    for (char& code : codes)
      if (code == 0x7F) code = 0x30;  // no NaN
    (*this)[x + ".weight"] = {"F8_E4M3", {n, k}, codes};
    std::size_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0x1p-10F + static_cast<float>(i % 97) * 0x1p-17F;
    (*this)[x + scales] = f32(shape, values);
  }

  /// "X" in BF16: numbers of either sign between 2^-7 and 2.
  void add_dense(const std::string& x, std::uint64_t n, std::uint64_t k) {
    const RandomStream stream(3, x);
    std::vector<std::uint16_t> values(n * k);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::uint16_t>((stream(i) & 0x8000) | (0x3C00 + stream(i) % 0x400));
    (*this)[x + ".weight"] = {"BF16", {n, k}, bytes_of(values)};
  }
};

/// A folder of the test's own.
class Folder {
 public:
  Folder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("quadpair-checkpoint-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  Folder& write(const std::string& name, const std::string& text) {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this;
  }

 private:
  std::filesystem::path path_;
};

inline const std::string packed_declaration =
    R"("quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized",
      "config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":4,"type":"float",
      "strategy":"tensor_group","group_size":16}}},"ignore":["lm_head"]})";

/// The message of the DataError that `action` throws, or "accepted".
template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace quadpair::cases::testing
