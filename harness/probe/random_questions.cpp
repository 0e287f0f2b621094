#include "cases/random.hpp"
#include "harness/probe/questions.hpp"

namespace quadpair::probe {
namespace {

/// Successive draws from a row's own stream.
class Draws {
 public:
  explicit Draws(const cases::RandomStream& stream) : stream_(stream) {}

  std::uint64_t below(std::uint64_t bound) { return (stream_(next_++) >> 11) % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  /// Random sign and fraction; exponent field from `first`, `count` of them.
  std::uint16_t half(std::uint64_t first, std::uint64_t count) {
    const std::uint64_t sign_and_fraction = below(0x10000) & 0x83FF;
    return static_cast<std::uint16_t>(sign_and_fraction | (first + below(count)) << 10);
  }
  std::uint32_t single(std::uint64_t first, std::uint64_t count) {
    const std::uint64_t sign_and_fraction = below(1ull << 32) & 0x807FFFFF;
    return static_cast<std::uint32_t>(sign_and_fraction | (first + below(count)) << 23);
  }

 private:
  cases::RandomStream stream_;
  std::uint64_t next_ = 0;
};

std::uint16_t draw_half(Kind kind, Draws& draws) {
  switch (kind) {
    case Kind::plain: return draws.half(13, 5);
    case Kind::wide: return draws.half(0, 31);
    case Kind::cancelling: return draws.half(4, 8);
    case Kind::rounding: return draws.half(10, 6);
    case Kind::subnormal: return draws.half(0, draws.one_in(2) ? 1 : 16);
    case Kind::sparse: return draws.one_in(3) ? draws.half(0, 31) : draws.half(0, 1) & 0x8000;
    case Kind::special:
      return draws.one_in(16) ? draws.half(31, 1) & (draws.one_in(4) ? 0xFFFF : 0xFC00) : draws.half(13, 5);
    case Kind::bits: return draws.half(0, 32);
  }
  return 0;
}

std::uint32_t draw_single(Kind kind, Draws& draws) {
  switch (kind) {
    case Kind::plain: return draws.single(123, 8);
    case Kind::wide: return draws.single(92, 66);
    case Kind::cancelling: return draws.single(100, 24);
    case Kind::rounding: return draws.single(124, 16);
    case Kind::subnormal: return draws.single(0, draws.one_in(2) ? 2 : 128);
    case Kind::sparse: return draws.one_in(3) ? draws.single(92, 66) : draws.single(0, 1) & 0x80000000;
    case Kind::special: return draws.one_in(16) ? draws.single(255, 1) & 0xFF800000 : draws.single(123, 8);
    case Kind::bits: return draws.single(0, 256);
  }
  return 0;
}

}  // namespace

Questions random_questions(MmaShape shape, Kind kind, std::size_t count, std::uint64_t seed) {
  const cases::RandomStream rows =
      cases::RandomStream(seed, "probe").child(static_cast<std::uint64_t>(kind)).child(products(shape));
  Questions questions(count);
  for (std::size_t i = 0; i < count; ++i) {
    Draws draws(rows.child(i));
    cases::MeasuredRow& row = questions[i];
    for (std::size_t k = 0; k < products(shape); ++k) {
      row.a[k] = draw_half(kind, draws);
      row.b[k] = draw_half(kind, draws);
    }
    if (kind == Kind::cancelling) {
      const std::size_t at = 2 * draws.below(products(shape) / 2);
      row.a[at] = row.a[at + 1] = draws.half(14, 4);
      row.b[at] = draws.half(14, 4);
      row.b[at + 1] = row.b[at] ^ 0x8000;
    }
    row.c = draw_single(kind, draws);
  }
  return questions;
}

}  // namespace quadpair::probe
