#include "measure/code/names.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

struct Case {
  const char* demangled;
  const char* name;
};

class QualifiedName : public ::testing::TestWithParam<Case> {};

TEST_P(QualifiedName, DropsReturnTypeAndParameters) {
  EXPECT_EQ(qualified_name(GetParam().demangled), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Names, QualifiedName,
    ::testing::Values(
        Case{"main", "main"}, Case{"f(int)", "f"}, Case{"ns::f(int, char const*)", "ns::f"},
        Case{"void ns::f<int>(int)", "ns::f<int>"},
        Case{"std::vector<int, std::allocator<int> > make<2>()", "make<2>"},
        Case{"ns::T::g() const", "ns::T::g"},
        Case{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
        Case{"void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>"},
        Case{"T::operator()(int) const", "T::operator()"},
        Case{"T::operator()() const", "T::operator()"},
        Case{"operator<<(std::ostream&, T const&)", "operator<<"},
        Case{"operator<(T, T)", "operator<"}, Case{"T::operator->() const", "T::operator->"},
        Case{"bool operator< <int>(T<int>, T<int>)", "operator< <int>"},
        Case{"operator new(unsigned long)", "operator new"},
        Case{"T::operator unsigned int() const", "T::operator unsigned int"},
        Case{"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
        Case{"f(int)::{lambda()#1}::operator()() const", "f(int)::{lambda()#1}::operator()"},
        Case{"T::f(int) const::{lambda()#1}::operator()() const",
             "T::f(int) const::{lambda()#1}::operator()"},
        Case{"auto f(int)::{lambda(auto:1)#1}::operator()<int>(int) const",
             "f(int)::{lambda(auto:1)#1}::operator()<int>"},
        Case{"decltype (a + b) add<int, int>(int, int)", "add<int, int>"},
        Case{"void f<(int)5>(int)", "f<(int)5>"},
        Case{"void f<&T::operator()>(int)", "f<&T::operator()>"},
        Case{"f[abi:cxx11](int)", "f[abi:cxx11]"}, Case{"f(void (*)(int))", "f"},
        Case{"unbalanced(int", "unbalanced(int"}, Case{"", ""}));

TEST(ReadableName, DemanglesAndCutsCloneSuffixes) {
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("main.omp_outlined"), "main");
  EXPECT_EQ(readable_name("_ZN2ns1fEi"), "ns::f");
  EXPECT_EQ(readable_name("_ZN2ns1fEi.omp_outlined.3"), "ns::f");
  EXPECT_EQ(readable_name("_Znot_a_name"), "_Znot_a_name");
  EXPECT_EQ(readable_name(""), "");
  EXPECT_EQ(readable_name("."), ".");
}

TEST(ReadableName, SurvivesAnyText) {
  std::mt19937 random(7);
  const std::string alphabet = "_ZNSt4vecIiEvT0K()<>[]{}: operator-.,0123456789";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 40, ' ');
    for (char& c : text) {
      c = alphabet[random() % alphabet.size()];
    }
    (void)qualified_name(text);
    (void)readable_name("_Z" + text);
  }
}

TEST(SourcePath, JoinsAndNormalises) {
  EXPECT_EQ(source_path("/home/me", "a.c"), "/home/me/a.c");
  EXPECT_EQ(source_path("/home/me/build", "../src/./a.c"), "/home/me/src/a.c");
  EXPECT_EQ(source_path("/home", "/x/a.c"), "/x/a.c");
  EXPECT_EQ(source_path("", "a.c"), "a.c");
}

TEST(FileName, IsTheLastPart) {
  EXPECT_EQ(file_name("/lib/libm.so.6"), "libm.so.6");
  EXPECT_EQ(file_name("libm.so.6"), "libm.so.6");
  EXPECT_EQ(file_name(""), "");
}

}  // namespace
}  // namespace ridge::measure
