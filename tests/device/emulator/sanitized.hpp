// Small kernels under the sanitizer, and what it says of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {

struct Shape {
  Dim3 grid = {1}, block = {32};
  std::uint32_t input_words = 256, output_words = 256;
  unsigned threads = 1;
};

/// A kernel that has %in and %out (an input and an output buffer of words), %t = thread, %w = its warp, %l =
/// its lane, %c = block, %i = 4 * %t, and 1 KiB of shared memory at [%s], %s = words + 4 * %t; its `body`
/// begins on PTX line 8.
class SanitizedKernel {
 public:
  explicit SanitizedKernel(const std::string& body, Shape shape = {})
      : shape_(shape),
        runner_(
            ".param .u64 in, .param .u64 out",
            ".reg .b64 %in, %out, %a, %b, %i, %g; .reg .b32 %t, %w, %l, %c, %s, %n, %x, %y; .reg .b16 %h;\n"
            ".reg .pred %p, %q; .reg .b32 %v<8>; .shared .align 16 .b8 words[1024]; ld.param.u64 %in, [in]; "
            "ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31; mov.u32 "
            "%c, "
            "%ctaid.x; mul.wide.u32 %i, %t, 4; shl.b32 %s, %t, 2;\n" +
                body + "\nret;",
            {.threads = shape.threads, .sanitize = true}),
        in_(runner_.input(std::vector<std::uint32_t>(shape.input_words, 1))),
        out_(runner_.output<std::uint32_t>(shape.output_words)) {}

  /// What the launch is found guilty of, or "no fault".
  std::string fault() {
    try {
      runner_.run(shape_.grid, shape_.block, Arguments().add(in_->address()).add(out_->address()));
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "no fault";
  }

  std::vector<std::uint32_t> output() const { return contents<std::uint32_t>(*out_); }
  Buffer& output_buffer() { return *out_; }
  DevicePtr input_address() const { return in_->address(); }
  KernelRunner& runner() { return runner_; }

 private:
  Shape shape_;
  KernelRunner runner_;
  std::unique_ptr<Buffer> in_, out_;
};

inline std::string fault_of(const std::string& body, Shape shape = {}) {
  return SanitizedKernel(body, shape).fault();
}

}  // namespace quadpair::device
