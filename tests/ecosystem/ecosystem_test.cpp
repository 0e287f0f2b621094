// Models written by the ecosystem's own libraries (safetensors, ml_dtypes): decoded values, verified outputs,
// and a file of ours read by theirs. `make ecosystem` installs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "cases/checkpoint/checkpoint_slices.hpp"
#include "reference/formats/fp4_fp8.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cases {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Models in a folder of the test's own.
class Ecosystem : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(python)) GTEST_SKIP() << "no " << python << ": `make ecosystem` installs it";
    ASSERT_EQ(run("'" QUADPAIR_TEST_DATA "/ecosystem/write_models.py' " + folder_ / "models"), 0);
  }

  static int run(const std::string& words) {
    return std::system(
        (std::string("'") + python + "' " + words).c_str());  // NOLINT(cert-env33-c): the test's own command
  }

  std::string model(const std::string& name) const { return folder_ / ("models/" + name); }

  static constexpr const char* python = QUADPAIR_TEST_DATA "/../build/ecosystem/bin/python";
  cli::Folder folder_;
};

/// The value of an element of a slice, exact in FP64.
double value_of(const QuantizedMatrix& w, std::size_t row, std::size_t k) {
  const std::size_t i = row * w.k + k;
  if (w.format == WeightFormat::fp8_channel)
    return double{reference::e4m3_value(w.codes[i])} * double{w.fp8_scales[row]};
  const std::uint8_t code = w.codes[i / 2] >> (i % 2 * 4) & 15;
  return double{reference::e2m1_value(code)} * double{reference::e4m3_value(w.scales[i / 16])} *
         double{w.globals[0]};
}

struct Expected {
  const char* model;
  Quantize quantize;
};

TEST_F(Ecosystem, WeightsDecodeToWhatTheirLibrariesSay) {
  for (const Expected& expected :
       {Expected{"packed", Quantize::none}, Expected{"modelopt", Quantize::none},
        Expected{"float", Quantize::none}, Expected{"modelopt-fp8", Quantize::none},
        Expected{"dense-nvfp4", Quantize::nvfp4}, Expected{"dense-fp8", Quantize::fp8}}) {
    SCOPED_TRACE(expected.model);
    const auto checkpoint = std::make_shared<const Checkpoint>(model(expected.model));
    const CheckpointSlices slices(checkpoint, family_of(checkpoint->config(), {}),
                                  {1, {}, {0}, expected.quantize});
    const Safetensors decoded(fs::path(model("decoded") + "/" + expected.model + ".safetensors"));
    std::size_t parts = 0;
    for (const std::string& name : slices.names())
      for (const QuantizedMatrix& part : slices.load_parts(name)) {
        const Tensor& values =
            decoded.require(part.name, "F64", std::array<std::uint64_t, 2>{part.n, part.k});
        for (std::size_t i = 0; i < std::size_t{part.n} * part.k; ++i) {
          double value = 0;
          std::memcpy(&value, values.bytes.data() + 8 * i, sizeof value);
          ASSERT_EQ(value_of(part, i / part.k, i % part.k), value) << part.name << " " << i;
        }
        ++parts;
      }
    EXPECT_EQ(parts, 7u);
  }
}

TEST_F(Ecosystem, OutputsAreVerified) {
  for (const char* name : {"packed", "modelopt", "dense-nvfp4"}) {
    const cli::Result result =
        cli::call({"verify", "--checkpoint", model(name), "--tp", "2", "--ranks", "1", "--quantize", "nvfp4",
                   "--layers", "0", "--m", "3", "--device", "emulator", "--model", "hopper"});
    EXPECT_EQ(result.status, 0) << name << result.err << result.out;
    EXPECT_THAT(result.out, HasSubstr("all passed"));
  }
}

TEST_F(Ecosystem, TheirsReadsOurs) {
  const std::string file = folder_ / "slice.safetensors";
  const cli::Result result = cli::call({"slice", "--checkpoint", model("packed"), "--projection",
                                        "mlp.down_proj", "--layer", "0", "-o", file});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(run("-c \"from safetensors import safe_open; f = safe_open('" + file +
                "', 'np'); n = 'model.layers.0.mlp.down_proj.weight'; s = f.get_slice(n + '_scale'); "
                "assert f.get_tensor(n).shape == (128, 128); "
                "assert (s.get_dtype(), s.get_shape()) == ('F8_E4M3', [128, 16]); "
                "assert 'config.json' in f.metadata()\""),
            0);
}

}  // namespace
}  // namespace quadpair::cases
