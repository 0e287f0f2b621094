// The models against sums measured on GPUs, and against those of an independent model (see tests/data).
#include "tests/reference/tensor_core/rows.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {
namespace {

struct Source {
  Model model;
  std::size_t width;
  const char* file;
  std::size_t rows;

  friend std::ostream& operator<<(std::ostream& out, const Source& s) {
    return out << to_string(s.model) << " " << s.file;
  }
};

class Rows : public testing::TestWithParam<Source> {};

TEST_P(Rows, AllEqual) {
  const Source& source = GetParam();
  const auto rows = test::read_rows(source.file, source.width);
  EXPECT_EQ(rows.size(), source.rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(fused_sum(source.model, rows[i].a, rows[i].b, rows[i].c), rows[i].d) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Measured, Rows,
                         testing::Values(Source{Model::volta, 4, "tensor-core/v100-f16-f32-k4.txt", 2000},
                                         Source{Model::turing, 4, "tensor-core/v100-f16-f32-k4.txt", 2000},
                                         Source{Model::turing, 8, "tensor-core/a100-f16-f32-k8.txt", 2000},
                                         Source{Model::ampere, 8, "tensor-core/a100-f16-f32-k8.txt", 2000},
                                         Source{Model::ampere, 8, "tensor-core/ada-f16-f32-k8.txt", 2000},
                                         Source{Model::hopper, 16, "tensor-core/h100-f16-f32-k16.txt", 2000},
                                         Source{Model::hopper, 16, "tensor-core/h200-f16-f32-k16.txt", 2000},
                                         Source{Model::hopper, 16, "tensor-core/b200-f16-f32-k16.txt",
                                                2000}));

INSTANTIATE_TEST_SUITE_P(MmaSim, Rows,
                         testing::Values(Source{Model::volta, 4, "mma-sim/volta-m8n8k4.txt", 1440},
                                         Source{Model::turing, 4, "mma-sim/turing-m8n8k4.txt", 1440},
                                         Source{Model::turing, 8, "mma-sim/turing-m16n8k8.txt", 1440},
                                         Source{Model::ampere, 16, "mma-sim/ampere-m16n8k16.txt", 1440},
                                         Source{Model::hopper, 16, "mma-sim/hopper-m16n8k16.txt", 1440}));

// The rows are worth having only if they tell the models apart.
TEST(RowsTellModelsApart, WrongTruncationIsNoticed) {
  const auto mismatches = [](const char* file, std::size_t width, int f) {
    std::size_t count = 0;
    for (const auto& row : test::read_rows(file, width)) {
      count += truncating_sum(f, row.a, row.b, row.c) != row.d;
    }
    return count;
  };
  EXPECT_GT(mismatches("tensor-core/v100-f16-f32-k4.txt", 4, 24), 100u);
  EXPECT_GT(mismatches("tensor-core/a100-f16-f32-k8.txt", 8, 23), 100u);
  EXPECT_GT(mismatches("tensor-core/h200-f16-f32-k16.txt", 16, 24), 100u);
}

}  // namespace
}  // namespace quadpair::reference
