// Random PTX, for comparing machines that should agree.
#pragma once

#include <cstdint>
#include <string>

namespace quadpair::device {

/// Bytes that a thread of a random program reads from `in`, and writes to `out`.
inline constexpr std::uint32_t random_program_input = 64, random_program_output = 160;

/// The body of an entry with parameters `in` and `out`: loads registers of every class from the thread's part
/// of `in`, runs about `length` instructions over them, with branches that lanes take differently, and stores
/// all registers to the thread's part of `out`.
std::string random_program(std::uint64_t seed, int length);

}  // namespace quadpair::device
