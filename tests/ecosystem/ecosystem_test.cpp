// Models written by the ecosystem's own libraries: decoded values, verified outputs, and a file of ours read
// by theirs. `make ecosystem` (safetensors, ml_dtypes) and `make compressed-tensors` install them.
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

/// Models in a folder of the test's own, written by a script under a Python that `make` installs.
class Written : public ::testing::Test {
 protected:
  Written(const std::string& target, std::string script)
      : target_(target),
        python_(QUADPAIR_TEST_DATA "/../build/" + target + "/bin/python"),
        script_(std::move(script)) {}

  void SetUp() override {
    if (!fs::exists(python_)) GTEST_SKIP() << "no " << python_ << ": `make " << target_ << "` installs it";
    ASSERT_EQ(run("'" QUADPAIR_TEST_DATA "/ecosystem/" + script_ + "' " + folder_ / "models"), 0);
  }

  int run(const std::string& words) const {
    return std::system(
        ("'" + python_ + "' " + words).c_str());  // NOLINT(cert-env33-c): the test's own command
  }

  std::string model(const std::string& name) const { return folder_ / ("models/" + name); }

  void expect_decoded(const std::string& name, Quantize quantize = Quantize::none) const;
  void expect_verified(const std::string& name) const;

  cli::Folder folder_;

 private:
  std::string target_, python_, script_;
};

class Ecosystem : public Written {
 protected:
  Ecosystem() : Written("ecosystem", "write_models.py") {}
};

class CompressedTensors : public Written {
 protected:
  CompressedTensors() : Written("compressed-tensors", "write_compressed_tensors.py") {}
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

/// Every weight of the model is, bit for bit in FP64, what its library says.
void Written::expect_decoded(const std::string& name, Quantize quantize) const {
  SCOPED_TRACE(name);
  const auto checkpoint = std::make_shared<const Checkpoint>(model(name));
  const CheckpointSlices slices(checkpoint, family_of(checkpoint->config(), {}), {1, {}, {0}, quantize});
  const Safetensors decoded(fs::path(model("decoded") + "/" + name + ".safetensors"));
  std::size_t parts = 0;
  for (const std::string& slice : slices.names())
    for (const QuantizedMatrix& part : slices.load_parts(slice)) {
      const Tensor& values = decoded.require(part.name, "F64", std::array<std::uint64_t, 2>{part.n, part.k});
      for (std::size_t i = 0; i < std::size_t{part.n} * part.k; ++i) {
        double value = 0;
        std::memcpy(&value, values.bytes.data() + 8 * i, sizeof value);
        ASSERT_EQ(value_of(part, i / part.k, i % part.k), value) << part.name << " " << i;
      }
      ++parts;
    }
  EXPECT_EQ(parts, 7u);
}

void Written::expect_verified(const std::string& name) const {
  const cli::Result result =
      cli::call({"verify", "--checkpoint", model(name), "--tp", "2", "--ranks", "1", "--quantize", "nvfp4",
                 "--layers", "0", "--m", "3", "--device", "emulator", "--model", "hopper"});
  EXPECT_EQ(result.status, 0) << name << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("all passed"));
}

TEST_F(Ecosystem, WeightsDecodeToWhatTheirLibrariesSay) {
  for (const char* name : {"packed", "modelopt", "float", "modelopt-fp8"}) expect_decoded(name);
  expect_decoded("dense-nvfp4", Quantize::nvfp4);
  expect_decoded("dense-fp8", Quantize::fp8);
}

TEST_F(Ecosystem, OutputsAreVerified) {
  for (const char* name : {"packed", "modelopt", "dense-nvfp4"}) expect_verified(name);
}

TEST_F(CompressedTensors, WeightsDecodeToWhatTheLibrarySays) {
  for (const char* name : {"ct-nvfp4", "ct-channel", "ct-tensor"}) expect_decoded(name);
}

TEST_F(CompressedTensors, OutputsAreVerified) {
  for (const char* name : {"ct-nvfp4", "ct-channel", "ct-tensor"}) expect_verified(name);
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
