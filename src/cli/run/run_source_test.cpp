#include "cli/run/run_source.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/fake_sources_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;

class SourceText : public ::testing::Test {
 protected:
  void SetUp() override { measure::reset_fake_sources(); }

  [[nodiscard]] std::string written(const std::string& name, std::string_view text) const {
    const std::string path = folder_.path(name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static Result<const measure::Source*> choose(const std::string& program) {
    measure::Request request;
    request.arguments = {program};
    return source_for(std::nullopt, measure::fake_sources(), request);
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(SourceText, IsRefusedWithTheCommandThatBuildsIt) {
  for (const auto& [name, compiler] :
       {std::pair{"multi.cpp", "ridge-c++"}, {"multi.C", "ridge-c++"}, {"multi.c", "ridge-cc"}}) {
    const std::string file = written(name, "int main() {}\n");
    const auto chosen = choose(file);
    ASSERT_FALSE(chosen) << name;
    EXPECT_EQ(chosen.error().code, ErrorCode::bad_input);
    EXPECT_THAT(chosen.error().message, HasSubstr("source text"));
    EXPECT_THAT(chosen.error().hint,
                HasSubstr(std::string(compiler) + " -O3 " + file + " -o multi;"));
    EXPECT_THAT(chosen.error().hint, HasSubstr("ridge run -- ./multi"));
  }
}

TEST_F(SourceText, OfLanguagesWithoutACompilerOfRidgeIsRefusedToo) {
  for (const char* name : {"a.f90", "a.F", "a.cu"}) {
    const auto chosen = choose(written(name, "end\n"));
    ASSERT_FALSE(chosen) << name;
    EXPECT_THAT(chosen.error().hint, HasSubstr("C and C++ alone"));
  }
}

TEST_F(SourceText, AProgramOrScriptMayBeCalledLikeIt) {
  EXPECT_TRUE(choose(written("program.c",
                             "\x7f"
                             "ELF...")));
  EXPECT_TRUE(choose(written("script.cpp", "#!/bin/sh\n")));
  EXPECT_TRUE(choose(written("solver.v2", "int main() {}\n")));
  EXPECT_TRUE(choose(folder_.path("missing.cpp").string()));  // others say that it is not there
}

}  // namespace
}  // namespace ridge::cli
