// Buffers: addresses, poison, guard bands, transfers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "harness/device/emulator/buffer.hpp"
#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

std::vector<std::byte> bytes(std::size_t count, std::uint8_t first) {
  std::vector<std::byte> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = std::byte(static_cast<std::uint8_t>(first + i));
  return values;
}

TEST(Buffers, HoldWhatTheyWereMadeWith) {
  const auto device = make_emulator({.threads = 1});
  const auto buffer = device->allocate("weights", 1000, Access::scratch, 0x5a);
  EXPECT_EQ(buffer->address() % 256, 0u);
  EXPECT_EQ(buffer->bytes(), 1000u);
  EXPECT_EQ(buffer->name(), "weights");
  EXPECT_EQ(buffer->access(), Access::scratch);
  for (const std::uint8_t value : contents<std::uint8_t>(*buffer)) ASSERT_EQ(value, 0x5a);
}

TEST(Buffers, TransferParts) {
  const auto device = make_emulator({.threads = 1});
  const auto buffer = device->allocate("b", 100, Access::input, 0);
  buffer->upload(bytes(10, 1), 90);
  std::vector<std::byte> part(12);
  buffer->download(part, 88);
  EXPECT_EQ(part[1], std::byte{0});
  EXPECT_EQ(part[2], std::byte{1});
  EXPECT_EQ(part[11], std::byte{10});
}

TEST(Buffers, RefuseTransfersPastTheEnd) {
  const auto device = make_emulator({.threads = 1});
  const auto buffer = device->allocate("b", 100, Access::input, 0);
  EXPECT_THROW(buffer->upload(bytes(11, 1), 90), std::out_of_range);
  EXPECT_THROW(buffer->upload(bytes(1, 1), 101), std::out_of_range);
  std::vector<std::byte> part(101);
  EXPECT_THROW(buffer->download(part), std::out_of_range);
}

// By its host address the test can write where a kernel could not.
TEST(Buffers, TellWhichGuardByteChanged) {
  const auto memory = std::make_shared<emulator::Memory>();
  for (const std::int64_t at : {-512, -1, 1000, 1511}) {
    const emulator::GuardedBuffer buffer(memory, "b", 1000, Access::output, 0);
    EXPECT_EQ(buffer.damaged_guard(), std::nullopt);
    std::byte& byte = memory->find(buffer.address(), 1)->host[at];
    byte = ~byte;
    EXPECT_EQ(buffer.damaged_guard(), at);
  }
}

// A pointer into one buffer must go astray by half a terabyte before it reaches another.
TEST(Buffers, LieInWindowsOfTheirOwn) {
  const auto device = make_emulator({.threads = 1});
  auto first = device->allocate("first", 1, Access::input, 0);
  const auto second = device->allocate("second", 1, Access::input, 0);
  const DevicePtr place = first->address();
  EXPECT_GE(second->address() - place, std::uint64_t{1} << 39);
  first.reset();
  EXPECT_EQ(device->allocate("third", 1, Access::input, 0)->address(), place) << "windows are used again";
}

TEST(Buffers, FillLeavesTheGuardsAlone) {
  const auto device = make_emulator({.threads = 1});
  const auto buffer = device->allocate("b", 333, Access::output, 0);
  buffer->fill(0xb7);
  EXPECT_EQ(buffer->damaged_guard(), std::nullopt);
  EXPECT_EQ(contents<std::uint8_t>(*buffer), std::vector<std::uint8_t>(333, 0xb7));
}

TEST(Buffers, EndWithTheirLife) {
  KernelRunner runner(".param .u64 in",
                      ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [in]; ld.global.u32 %v, [%a]; ret;");
  auto buffer = runner.input(std::vector<std::uint32_t>(4));
  const DevicePtr address = buffer->address();
  runner.run({1}, {1}, Arguments().add(address));
  buffer.reset();
  EXPECT_THROW(runner.run({1}, {1}, Arguments().add(address)), Fault);
}

TEST(Buffers, OfNoBytesCanBeMadeAndNotRead) {
  KernelRunner runner(".param .u64 in",
                      ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [in]; ld.global.u8 %v, [%a]; ret;");
  const auto empty = runner.device().allocate("empty", 0, Access::scratch, 0);
  EXPECT_THROW(runner.run({1}, {1}, Arguments().add(empty->address())), Fault);
}

}  // namespace
}  // namespace quadpair::device
