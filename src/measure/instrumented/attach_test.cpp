#include "measure/instrumented/attach.hpp"

#include <csignal>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/sentences_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

using ::testing::HasSubstr;

platform::ExitStatus code(int value) {
  return {.code = value, .signal = std::nullopt};
}

TEST(Attach, ThereIsProcHere) {
  EXPECT_TRUE(check_proc());
}

TEST(Attach, SaysHowFarTheProgramCame) {
  EXPECT_THAT(why_not_attached("/bin/true", code(127)), HasSubstr("code 127"));
  EXPECT_THAT(why_not_attached("/bin/true", {.code = std::nullopt, .signal = SIGKILL}),
              HasSubstr("signal 9"));
  EXPECT_THAT(why_not_attached("/bin/true", code(0)), HasSubstr("/proc"));
}

TEST(Attach, SaysThatAProgramRunsAsAnother) {
  const tests::TemporaryFolder folder;
  const auto program = folder.write("program", "");
  struct statvfs system{};
  ASSERT_EQ(statvfs(program.c_str(), &system), 0);
  if (chown(program.c_str(), 65534, static_cast<gid_t>(-1)) != 0 ||
      (system.f_flag & ST_NOSUID) != 0) {
    GTEST_SKIP() << "only root can make a program of another user";
  }
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  EXPECT_THAT(why_not_attached(program, code(0)), HasSubstr("setuid 65534"));
  ASSERT_EQ(chmod(program.c_str(), 0755), 0);
  EXPECT_THAT(why_not_attached(program, code(0)), ::testing::Not(HasSubstr("setuid")));
}

}  // namespace

void attach_sentences(tests::Sentences& sentences) {
  sentences.add("not attached, exit code 127", why_not_attached("/bin/true", code(127)));
  sentences.add("not attached, killed",
                why_not_attached("/bin/true", {.code = std::nullopt, .signal = SIGKILL}));
  sentences.add("not attached, ended", why_not_attached("/bin/true", code(0)));
}

}  // namespace ridge::measure
