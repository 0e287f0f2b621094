#include "harness/ranks/protocol.hpp"

#include <gtest/gtest.h>

#include "cases/case_json.hpp"
#include "reports/json_read.hpp"
#include "tests/harness/ranks/workers.hpp"

namespace quadpair::ranks {
namespace {

TEST(Protocol, EachMessageComesBack) {
  Said said = said_from_text(to_text({.introduction = Introduction{"a host", "a GPU", "0.1"}}));
  ASSERT_TRUE(said.introduction);
  EXPECT_EQ(said.introduction->host, "a host");
  EXPECT_EQ(said.introduction->device, "a GPU");
  EXPECT_EQ(said.introduction->program, "0.1");

  said = said_from_text(to_text({.given = Given{3, named("x")}}));
  ASSERT_TRUE(said.given);
  EXPECT_EQ(said.given->index, 3u);
  EXPECT_EQ(cases::to_json(said.given->c), cases::to_json(named("x")));

  reports::CaseRecord record;
  record.id = "x";
  record.reason = "bytes \xff that are no UTF-8";
  record.kernels = {{"k", "sm70", std::string(64, 'a'), 1, 0, "NVRTC", "--fmad=false"}};
  said = said_from_text(to_text({.finished = Finished{4, record}}));
  ASSERT_TRUE(said.finished);
  EXPECT_EQ(said.finished->index, 4u);
  EXPECT_EQ(said.finished->record.id, "x");
  EXPECT_EQ(said.finished->record.kernels, record.kernels);

  said = said_from_text(to_text({.stop = true}));
  EXPECT_TRUE(said.stop);
  said = said_from_text(to_text({}));
  EXPECT_FALSE(said.stop || said.introduction || said.given || said.finished);
}

TEST(Protocol, NonsenseIsRefused) {
  EXPECT_THROW(said_from_text("nonsense"), reports::ReadError);
  EXPECT_THROW(said_from_text(R"({"introduction":{}})"), reports::ReadError);
  EXPECT_THROW(said_from_text(R"({"answer":{"index":0,"answer":"{}"}})"), reports::ReadError);
}

}  // namespace
}  // namespace quadpair::ranks
