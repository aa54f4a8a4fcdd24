#include "translate.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arguments.hpp"

namespace ridge::wrapper {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

using Words = std::vector<std::string>;

const Installation kInstallation{"/opt/ridge/lib/ridge/ridge_llvm_pass.so", "/opt/ridge/lib/ridge",
                                 "/opt/ridge/include"};
constexpr const char* kPlugin = "-fpass-plugin=/opt/ridge/lib/ridge/ridge_llvm_pass.so";
constexpr const char* kLineTables = "-gline-tables-only";
constexpr const char* kLinkageNames = "-fdebug-info-for-profiling";
constexpr const char* kRuntime = "-lridge_runtime";

std::map<std::string, std::string>& files() {
  static std::map<std::string, std::string> contents;
  return contents;
}

Translation run(const Words& arguments, bool plain = false, Driver driver = Driver::clang) {
  return translate(arguments, driver, kInstallation, plain,
                   [](const std::string& path) -> std::optional<std::string> {
                     const auto found = files().find(path);
                     return found == files().end() ? std::nullopt : std::optional(found->second);
                   });
}

std::ptrdiff_t position(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) - words.begin();
}

TEST(Translate, ACompileGetsThePluginAndLineTables) {
  const auto result = run({"-O2", "-c", "a.c", "-o", "a.o"});
  EXPECT_THAT(result.arguments,
              ElementsAre("--start-no-unused-arguments", "-idirafter", "/opt/ridge/include",
                          kLineTables, kLinkageNames, kPlugin, "--end-no-unused-arguments", "-O2",
                          "-c", "a.c", "-o", "a.o"));
  EXPECT_TRUE(result.instruments);
  EXPECT_EQ(result.flags, "-O2");
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(Translate, InPlaceOfGccItsOwnOptionsAreLeftOutWithOneWarning) {
  const Words command{"-O2",
                      "-fipa-pta",
                      "-ftree-vectorize",
                      "-fno-tree-slp-vectorize",
                      "-Werror",
                      "-fopt-info-vec",
                      "-Werror=format",
                      "-gstatement-frontiers",
                      "-c",
                      "a.c"};
  const auto result = run(command, false, Driver::clang_for_gcc);
  EXPECT_THAT(result.arguments,
              IsSupersetOf({"-O2", "-ftree-vectorize", "-fno-tree-slp-vectorize", kLineTables,
                            "-Wno-unknown-warning-option", kPlugin}));
  for (const char* gone :
       {"-fipa-pta", "-Werror", "-fopt-info-vec", "-Werror=format", "-gstatement-frontiers"}) {
    EXPECT_THAT(result.arguments, Not(Contains(gone)));
  }
  ASSERT_THAT(result.warnings, SizeIs(1));
  EXPECT_THAT(result.warnings.front(), HasSubstr("-fipa-pta -fopt-info-vec"));
  EXPECT_THAT(result.warnings.front(), Not(HasSubstr("-Werror")));
  EXPECT_THAT(run(command).arguments, IsSupersetOf({"-fipa-pta", "-Werror"}));
}

TEST(Translate, InPlaceOfGccItsOpenmpRuntimeIsThatOfClang) {
  const auto result =
      run({"a.o", "/usr/lib/gcc/libgomp.so", "-o", "a"}, false, Driver::clang_for_gcc);
  EXPECT_THAT(result.arguments, Contains("-fopenmp=libomp"));
  EXPECT_THAT(result.arguments, Not(Contains("/usr/lib/gcc/libgomp.so")));
  EXPECT_THAT(run({"a.o", "-lgomp"}).arguments, Contains("-lgomp"));
}

TEST(Translate, WhatChangesTheResultIsLeftForClangToRefuse) {
  const auto result =
      run({"-fsingle-precision-constant", "-c", "a.c"}, false, Driver::clang_for_gcc);
  EXPECT_THAT(result.arguments, Contains("-fsingle-precision-constant"));
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(Translate, ALinkGetsTheRuntimeAfterTheInputs) {
  const auto result = run({"a.o", "-lm", "-o", "a"});
  EXPECT_FALSE(result.instruments);
  EXPECT_THAT(result.arguments, Not(Contains(kPlugin)));
  EXPECT_THAT(result.arguments, Not(Contains(kLineTables)));
  EXPECT_LT(position(result.arguments, "a.o"), position(result.arguments, kRuntime));
  EXPECT_LT(position(result.arguments, kRuntime), std::ssize(result.arguments));
  EXPECT_THAT(result.arguments, IsSupersetOf({"-L/opt/ridge/lib/ridge", "-rpath",
                                              "/opt/ridge/lib/ridge", "-Wl,--pop-state"}));
}

TEST(Translate, CompileAndLinkInOneStepGetsBoth) {
  const auto result = run({"a.cpp", "-shared", "-fPIC", "-o", "liba.so"});
  EXPECT_THAT(result.arguments, IsSupersetOf({kPlugin, kRuntime, kLineTables}));
}

TEST(Translate, AStaticLinkTakesTheWholeArchive) {
  const auto result = run({"-static", "a.o"});
  EXPECT_THAT(result.arguments,
              ElementsAre("-static", "a.o", "-L/opt/ridge/lib/ridge",
                          "-Wl,--push-state,--whole-archive", kRuntime, "-Wl,--pop-state"));
}

class Questions : public ::testing::TestWithParam<Words> {};

TEST_P(Questions, PassStraightThrough) {
  const auto result = run(GetParam());
  EXPECT_EQ(result.arguments, GetParam());
  EXPECT_FALSE(result.instruments);
}

INSTANTIATE_TEST_SUITE_P(
    Translate, Questions,
    ::testing::Values(Words{}, Words{"-v"}, Words{"--version"}, Words{"-print-search-dirs"},
                      Words{"-print-prog-name=ld"}, Words{"-dumpmachine"}, Words{"-###"},
                      Words{"-O3", "-march=native", "-v"}, Words{"-Wl,--version"},
                      Words{"-cc1", "-emit-obj", "a.c"}, Words{"-o", "a.c", "-v"}, Words{"--help"},
                      Words{"-print-resource-dir"}));

class NoLink : public ::testing::TestWithParam<const char*> {};

TEST_P(NoLink, LeavesTheRuntimeOut) {
  const auto result = run({GetParam(), "a.c"});
  EXPECT_THAT(result.arguments, Not(Contains(kRuntime))) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Translate, NoLink,
                         ::testing::Values("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only",
                                           "--precompile", "--analyze", "-r"));

TEST(Translate, DependencyFilesDoNotStopTheLink) {
  const auto result = run({"-MD", "-MF", "a.d", "-MMD", "-MT", "a.o", "a.c"});
  EXPECT_THAT(result.arguments, IsSupersetOf({kRuntime, kPlugin}));
}

TEST(Translate, PreprocessingDoesNotLoadThePlugin) {
  EXPECT_THAT(run({"-E", "a.c"}).arguments,
              ElementsAre("--start-no-unused-arguments", "-idirafter", "/opt/ridge/include",
                          "--end-no-unused-arguments", "-E", "a.c"));
  EXPECT_EQ(run({"-E", "a.f90"}, false, Driver::flang).arguments, (Words{"-E", "a.f90"}));
  EXPECT_FALSE(run({"-fsyntax-only", "a.c"}).instruments);
}

TEST(Translate, AssemblerIsNotInstrumented) {
  EXPECT_FALSE(run({"-c", "a.s"}).instruments);
  EXPECT_FALSE(run({"-c", "a.S"}).instruments);
  EXPECT_FALSE(run({"-c", "-x", "assembler", "a.c"}).instruments);
  EXPECT_FALSE(run({"-c", "-xassembler-with-cpp", "-"}).instruments);
  EXPECT_TRUE(run({"-c", "a.S", "b.c"}).instruments);
  EXPECT_TRUE(run({"-x", "assembler", "a.s", "-x", "none", "b.c"}).instruments);
}

TEST(Translate, StandardInputIsAnInput) {
  const auto result = run({"-x", "c", "-", "-o", "a"});
  EXPECT_TRUE(result.instruments);
  EXPECT_THAT(result.arguments, Contains(kRuntime));
}

TEST(Translate, TheValueOfAnOptionIsNoInput) {
  EXPECT_EQ(run({"-v", "-o", "out.c", "-I", "dir.c", "-Xlinker", "b.c"}).arguments,
            (Words{"-v", "-o", "out.c", "-I", "dir.c", "-Xlinker", "b.c"}));
}

class DebugLevel : public ::testing::TestWithParam<const char*> {};

TEST_P(DebugLevel, OfTheUserIsKept) {
  const auto result = run({GetParam(), "-c", "a.c"});
  EXPECT_THAT(result.arguments, Contains(GetParam()));
  EXPECT_THAT(result.arguments,
              SizeIs(9));  // two brackets, headers, linkage names, the plugin, the user's three
}

INSTANTIATE_TEST_SUITE_P(Translate, DebugLevel,
                         ::testing::Values("-g", "-g1", "-g2", "-g3", "-ggdb", "-ggdb3",
                                           "-gdwarf-4", "-gdwarf", "-gmlt",
                                           "-gline-directives-only"));

TEST(Translate, OtherDebugOptionsDoNotCountAsALevel) {
  for (const char* option : {"-gz", "-gz=zlib", "-gsplit-dwarf", "-gcolumn-info",
                             "-gno-column-info", "-grecord-command-line", "-gcc-toolchain=x"}) {
    EXPECT_THAT(run({option, "-c", "a.c"}).arguments, Contains(kLineTables)) << option;
  }
}

TEST(Translate, NoDebugBecomesLineTables) {
  const auto result = run({"-g0", "-c", "a.c"});
  EXPECT_THAT(result.arguments, Contains(kLineTables));
  EXPECT_THAT(result.arguments, Not(Contains("-g0")));
}

TEST(Translate, LtoIsDroppedWithOneWarning) {
  for (const char* form : {"-flto", "-flto=thin", "-flto=full", "-flto=auto", "-flto=4"}) {
    const auto result =
        run({form, "-flto-jobs=2", "-ffat-lto-objects", "-fwhole-program-vtables", form, "a.c"});
    EXPECT_THAT(result.warnings, SizeIs(1)) << form;
    for (const std::string& argument : result.arguments) {
      EXPECT_THAT(argument, Not(HasSubstr("lto"))) << form;
      EXPECT_THAT(argument, Not(HasSubstr("whole-program"))) << form;
    }
  }
}

TEST(Translate, LtoThatTheUserSwitchedOffGivesNoWarning) {
  const auto result = run({"-flto", "-fno-lto", "-c", "a.c"});
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_THAT(result.arguments, Contains("-fno-lto"));
  EXPECT_THAT(result.arguments, Not(Contains("-flto")));
}

TEST(Translate, LtoAsAValueIsKept) {
  EXPECT_THAT(run({"-o", "-flto", "-c", "a.c"}).arguments, Contains("-flto"));
  EXPECT_THAT(run({"-flto", "-c", "--", "-g0"}).arguments, Contains("-g0"));
}

TEST(Translate, PlainDiffersInPluginAndRuntimeAlone) {
  const auto result = run({"-O3", "-flto", "a.c", "-o", "a"}, true);
  EXPECT_THAT(result.arguments, ElementsAre("--start-no-unused-arguments", "-idirafter",
                                            "/opt/ridge/include", kLineTables, kLinkageNames,
                                            "--end-no-unused-arguments", "-O3", "a.c", "-o", "a"));
  EXPECT_FALSE(result.instruments);
  EXPECT_THAT(result.warnings, SizeIs(1));
}

TEST(Translate, LinkArgumentsStandBeforeTheEndOfOptions) {
  const auto result = run({"-O1", "--", "a.c", "-odd.c"});
  EXPECT_LT(position(result.arguments, kRuntime), position(result.arguments, "--"));
  EXPECT_EQ(result.arguments.back(), "-odd.c");
}

TEST(Translate, FlagsNameCodeGenerationAndNothingElse) {
  const auto result =
      run({"-O3", "-march=native", "-mtune=native", "-ffast-math", "-fopenmp", "-DX=1", "-I", "-O0",
           "-Wall", "-std=c++20", "-fPIC", "-mprefer-vector-width=512",
           "-fdebug-prefix-map=/home/me=.", "-mllvm", "-O2", "-c", "a.cpp"});
  EXPECT_EQ(result.flags,
            "-O3 -march=native -mtune=native -ffast-math -fopenmp -mprefer-vector-width=512");
}

TEST(Translate, ResponseFilesAreReadButPassedOn) {
  files() = {{"link.rsp", "a.o b.o -o prog"},
             {"compile.rsp", "-O2 -c @inner.rsp"},
             {"inner.rsp", "'my file.c'"}};
  EXPECT_EQ(run({"@link.rsp"}).arguments.front(), "@link.rsp");
  EXPECT_THAT(run({"@link.rsp"}).arguments, Contains(kRuntime));
  const auto compiled = run({"@compile.rsp"});
  EXPECT_TRUE(compiled.instruments);
  EXPECT_EQ(compiled.flags, "-O2");
  EXPECT_EQ(compiled.arguments.back(), "@compile.rsp");
  EXPECT_THAT(compiled.arguments, Not(Contains(kRuntime)));
}

TEST(Translate, AResponseFileWithLtoIsExpanded) {
  files() = {{"lto.rsp", "-flto=thin -O2 -c \"my file.c\" -DX='a b'"}};
  const auto result = run({"@lto.rsp"});
  EXPECT_THAT(result.arguments, IsSupersetOf({"-O2", "-c", "my file.c", "-DX=a b"}));
  EXPECT_THAT(result.arguments, Not(Contains("@lto.rsp")));
  EXPECT_THAT(result.warnings, SizeIs(1));
}

TEST(Translate, AResponseFileThatNamesItselfEnds) {
  files() = {{"loop.rsp", "-c a.c @loop.rsp"}};
  EXPECT_TRUE(run({"@loop.rsp"}).instruments);
}

TEST(Translate, AMissingResponseFileIsForTheCompilerToReport) {
  EXPECT_THAT(run({"-c", "@missing.rsp"}).arguments, Contains("@missing.rsp"));
}

TEST(TranslateForFlang, ACompileGetsThePluginAndLineTables) {
  const auto result = run({"-O2", "-c", "a.f90", "-J", "mod", "-o", "a.o"}, false, Driver::flang);
  EXPECT_THAT(result.arguments,
              ElementsAre(kLineTables, kPlugin, "-O2", "-c", "a.f90", "-J", "mod", "-o", "a.o"));
  EXPECT_TRUE(result.instruments);
  EXPECT_EQ(result.flags, "-O2");
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(TranslateForFlang, ALinkHasNoOptionThatItsDriverLacks) {
  const auto result = run({"a.o", "-o", "a"}, false, Driver::flang);
  EXPECT_THAT(result.arguments, Not(Contains("-Xlinker")));
  EXPECT_THAT(result.arguments, Contains("-Wl,-rpath,/opt/ridge/lib/ridge"));
  EXPECT_THAT(result.arguments, Contains(kRuntime));
}

TEST(TranslateForFlang, OptionsOfGfortranAreLeftOutAndNamed) {
  const auto result = run({"-O3", "-ffree-line-length-none", "-fbacktrace", "-std=f2008", "-Wall",
                           "-Wl,-O1", "-std=f2018", "-c", "a.F90"},
                          false, Driver::flang);
  EXPECT_THAT(result.arguments,
              ElementsAre(kLineTables, kPlugin, "-O3", "-Wl,-O1", "-std=f2018", "-c", "a.F90"));
  ASSERT_THAT(result.warnings, SizeIs(1));
  EXPECT_THAT(result.warnings[0],
              HasSubstr("-ffree-line-length-none -fbacktrace -std=f2008 -Wall"));
}

/// As mpifort of MPICH and builds of distributions have them.
TEST(TranslateForFlang, OptionsOfPackagesAreLeftOut) {
  const auto result =
      run({"-O2", "-ffile-prefix-map=/build/a=.", "-fstack-protector-strong", "-fcf-protection",
           "-Wp,-D_FORTIFY_SOURCE=2", "-Werror=format-security", "-fno-plt", "-c", "a.f90"},
          false, Driver::flang);
  EXPECT_THAT(result.arguments, ElementsAre(kLineTables, kPlugin, "-O2", "-c", "a.f90"));
}

TEST(TranslateForFlang, WhatChangesTheResultIsForFlangToRefuse) {
  for (const char* option : {"-frecord-marker=4", "-fcheck=all", "-finit-real=zero"}) {
    EXPECT_THAT(run({option, "-c", "a.f90"}, false, Driver::flang).arguments, Contains(option));
  }
}

TEST(Translate, FortranIsSourceCode) {
  for (const char* file : {"a.f", "a.f90", "a.F90", "a.f03", "a.F08", "a.for"}) {
    EXPECT_TRUE(run({"-c", file}, false, Driver::flang).instruments) << file;
  }
  EXPECT_FALSE(run({"a.mod"}, false, Driver::flang).instruments);
}

TEST(SplitResponseFile, QuotesBackslashesAndBlanks) {
  EXPECT_THAT(split_response_file("a  b\n\tc\r\n"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_response_file(R"('a b' "c d" e\ f "g\"h" '' i"j"k)"),
              ElementsAre("a b", "c d", "e f", "g\"h", "", "ijk"));
  EXPECT_THAT(split_response_file(""), IsEmpty());
  EXPECT_THAT(split_response_file("'unterminated x"), ElementsAre("unterminated x"));
}

TEST(Translate, EveryArgumentOfTheUserSurvivesInOrder) {
  const Words pool{"-O2",   "-c",      "a.c",     "-o",    "x",        "-I",  "dir",
                   "-lfoo", "b.o",     "--",      "-Wall", "-x",       "c++", "-",
                   "@none", "-static", "-shared", "-g",    "-fopenmp", "",    "-l"};
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Words arguments(random() % 8);
    for (auto& argument : arguments) {
      argument = pool[random() % pool.size()];
    }
    const auto result = run(arguments);
    auto next = result.arguments.begin();
    for (const auto& argument : arguments) {
      next = std::find(next, result.arguments.end(), argument);
      ASSERT_NE(next, result.arguments.end()) << argument;
      ++next;
    }
  }
}

}  // namespace
}  // namespace ridge::wrapper
