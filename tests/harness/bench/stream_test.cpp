// The streaming kernel on the emulator, and what the host expects of it.
#include "kernels/bench/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/bench/fold.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::bench {
namespace {

/// On the emulator with an arithmetic that has the target's mma (of other kernels: a module is loaded whole).
class Stream : public testing::TestWithParam<Target> {
 protected:
  static device::EmulatorOptions options() {
    device::EmulatorOptions options;
    using enum reference::Model;
    options.model = GetParam() == Target::sm70 ? volta : GetParam() == Target::sm80 ? ampere : hopper;
    return options;
  }
  std::unique_ptr<device::Device> device_ = device::make_emulator(options());
};

TEST_P(Stream, FoldsEachBlockOfBothBuffers) {
  // Two whole blocks and one of 48 bytes, then a buffer of 16 bytes. Words are 0 but for those set here.
  std::vector<std::uint32_t> first(2 * 512 + 12), second(4);
  first[0] = 0x80000001;
  first[511] = 0x00000003;
  first[512] = 0x12345678;
  first[1023] = 0x0F0F0F0F;
  first[1035] = 0xDEADBEEF;
  second[3] = 7;
  const auto put = [&](const std::vector<std::uint32_t>& words) {
    auto buffer = device_->allocate("in", words.size() * 4, device::Access::input, 0xDB);
    buffer->upload(std::as_bytes(std::span(words)));
    return buffer;
  };
  const auto a = put(first), b = put(second);
  const auto sums = device_->allocate("sums", 4 * 4, device::Access::output, 0xA5);
  device_->run(stream({{a->address(), a->bytes()}, {b->address(), b->bytes()}, sums->address()}, GetParam()));
  std::vector<std::uint32_t> got(4);
  sums->download(std::as_writable_bytes(std::span(got)));
  EXPECT_THAT(got, testing::ElementsAre(0x80000002, 0x1D3B5977, 0xDEADBEEF, 7));
  EXPECT_FALSE(sums->damaged_guard());
}
INSTANTIATE_TEST_SUITE_P(Targets, Stream, testing::Values(Target::sm70, Target::sm80, Target::sm90),
                         [](const auto& p) { return std::string(to_string(p.param)); });

TEST(StreamLaunch, RefusesWhatItCannotRead) {
  EXPECT_TRUE(stream({}, Target::sm90).empty());
  EXPECT_THROW(stream({{8, 16}, {}, 16}, Target::sm90), Refused);
  EXPECT_THROW(stream({{16, 24}, {}, 16}, Target::sm90), Refused);
  EXPECT_THROW(stream({{16, 16}, {}, 0}, Target::sm90), Refused);
  EXPECT_THROW(stream({{16, std::uint64_t{1} << 52}, {}, 16}, Target::sm90), Refused);
}

TEST(Folded, OnTheHost) {
  std::vector<std::uint8_t> bytes(2048 + 16);
  bytes[0] = 0x81;
  bytes[4] = 0x01;
  bytes[2047] = 0xF0;
  bytes[2048 + 5] = 0x22;
  EXPECT_THAT(folded(bytes), testing::ElementsAre(0x80, 0, 0, 0xF0, 0, 0x22, 0, 0));
}

}  // namespace
}  // namespace quadpair::bench
