#include "analyze/signature.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Signature of(const std::string& source, const std::string& function) {
  const auto found = signature_of(testing_programs::program(source), source, function);
  EXPECT_TRUE(found) << function << ": " << found.error().message;
  return found ? *found : Signature();
}

/// "fp64 array y", "int4 n", "unsigned2 by reference d", "x is a structure".
std::string text(const Parameter& parameter) {
  if (parameter.passing == Passing::unsupported) {
    return parameter.name + " " + parameter.reason;
  }
  const std::string number = parameter.is_real     ? "fp" + std::to_string(8 * parameter.bytes)
                             : parameter.is_signed ? "int" + std::to_string(parameter.bytes)
                                                   : "unsigned" + std::to_string(parameter.bytes);
  const std::string passing = parameter.passing == Passing::array          ? " array "
                              : parameter.passing == Passing::by_reference ? " by reference "
                                                                           : " ";
  return number + passing + parameter.name;
}

std::vector<std::string> parameters(const Signature& signature) {
  std::vector<std::string> all;
  std::ranges::transform(signature.parameters, std::back_inserter(all), text);
  return all;
}

TEST(SignatureOf, NumbersAndArrays) {
  const Signature vectors = of("signatures.c", "vectors");
  EXPECT_THAT(parameters(vectors), ElementsAre("fp64 array y", "fp32 array x", "int4 n",
                                               "unsigned8 stride", "fp64 a", "fp32 b"));
  EXPECT_EQ(vectors.function, "vectors");
  EXPECT_EQ(vectors.symbol, "vectors");
  EXPECT_THAT(vectors.reason, IsEmpty());
  EXPECT_THAT(vectors.variables, IsEmpty());
  EXPECT_THAT(parameters(of("signatures.c", "variable_extents")),
              ElementsAre("int4 m", "int4 n", "fp64 array a", "fp64 array b", "int4 array index"));
  EXPECT_THAT(parameters(of("signatures.c", "small_integers")),
              ElementsAre("int1 a", "unsigned1 b", "int2 c", "unsigned2 d", "unsigned1 e",
                          "unsigned4 f", "unsigned1 array g"));
}

TEST(SignatureOf, VariablesThatItAndItsCalleesUse) {
  const Signature found = of("signatures.c", "with_variables");
  std::vector<std::string> all;
  for (const UsedVariable& used : found.variables) {
    all.push_back(text(used.variable) + (used.is_pointer ? " pointed to" : "") +
                  (used.is_static ? " static" : "") + (used.is_initialised ? " initialised" : "") +
                  " " + std::to_string(used.extent));
  }
  std::ranges::sort(all);
  EXPECT_THAT(all,
              ElementsAre("fp32 factor 1", "fp64 array moved pointed to 1", "fp64 array plane 200",
                          "int4 N initialised 1", "int4 array hidden static 5"));
}

TEST(SignatureOf, WhatCannotBePassedSaysWhy) {
  EXPECT_THAT(
      parameters(of("signatures.c", "with_structure")),
      ElementsAre("by_value is a structure (grid)", "by_pointer is a structure (grid)",
                  "rows is a pointer to pointers", "each is a function",
                  "opaque has no type (void)", "wide is neither fp32 nor fp64 (long double)",
                  "z is of a type that is not supported (complex)"));
  EXPECT_THAT(parameters(of("signatures.cpp", "containers")),
              ElementsAre(AllOf(HasSubstr("y is a class (vector<double")),
                          AllOf(HasSubstr("x is a class (span<const double")),
                          "fp64 by reference a", "int4 by reference n"));
}

TEST(SignatureOf, WhatCannotBeCalledSaysWhy) {
  EXPECT_THAT(of("signatures.c", "returns_pointer").reason, IsEmpty());
  EXPECT_THAT(of("signatures.c", "returns_number").reason, IsEmpty());
  EXPECT_THAT(of("signatures.c", "returns_wide").reason, HasSubstr("long double"));
  EXPECT_THAT(of("signatures.c", "returns_structure").reason, HasSubstr("structure (grid)"));
  EXPECT_THAT(parameters(of("signatures.c", "returns_structure")), ElementsAre("fp64 array a"));
  EXPECT_THAT(of("signatures.c", "with_any_number").reason, HasSubstr("any number"));
  EXPECT_THAT(of("signatures.cpp", "_ZN5Field6smoothEi").reason, HasSubstr("member function"));
  EXPECT_TRUE(of("signatures.c", "fills").is_static);
}

TEST(SignatureOf, SymbolsAreThoseOfTheLinker) {
  EXPECT_EQ(of("signatures.cpp", "inside").symbol, "_ZN4deep6insideEPd");
  EXPECT_THAT(parameters(of("signatures.cpp", "_Z5scaleIfEvPT_i")),
              ElementsAre("fp32 array a", "int4 n"));
  const auto several =
      signature_of(testing_programs::program("signatures.cpp"), "signatures.cpp", "scale<double>");
  EXPECT_TRUE(several) << several.error().message;
  const auto smooth =
      signature_of(testing_programs::program("signatures.cpp"), "signatures.cpp", "smooth");
  ASSERT_FALSE(smooth);
  EXPECT_EQ(smooth.error().code, ErrorCode::bad_input);
  EXPECT_THAT(smooth.error().hint,
              AllOf(HasSubstr("_Z6smoothR5Fieldi"), HasSubstr("_ZN5Field6smoothEi")));
}

TEST(SignatureOf, FortranPassesAddresses) {
  std::ifstream file("testdata/fortran.ll", std::ios::binary);
  const std::string program{std::istreambuf_iterator<char>(file), {}};
  const auto found = signature_of(program, "fortran.ll", "daxpy");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->symbol, "daxpy_");
  EXPECT_THAT(parameters(*found),
              ElementsAre("int4 by reference n", "fp64 by reference s", "fp64 array x",
                          "y is passed by a descriptor (assumed shape)"));
}

TEST(SignatureOf, WhatIsNotThereIsRefused) {
  const auto found =
      signature_of(testing_programs::program("signatures.c"), "signatures.c", "vektors");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().hint, HasSubstr("vectors"));
  EXPECT_THAT(signature_of("int main", "a.c", "main").error().message, HasSubstr("not LLVM's"));
  const auto bare = signature_of("define void @f() {\n ret void\n}\n", "a.ll", "f");
  ASSERT_FALSE(bare);
  EXPECT_THAT(bare.error().hint, HasSubstr("-g"));
}

}  // namespace
}  // namespace ridge::analyze
