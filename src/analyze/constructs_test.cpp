// What people write, and what is read of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_programs::lines;
using testing_programs::nest;

std::vector<std::string> codes(const LoopNest& of) {
  std::vector<std::string> all;
  for (const Note& note : of.notes) {
    all.push_back(note.code);
  }
  return all;
}

TEST(Constructs, MembersOfStructuresHaveTheirNames) {
  EXPECT_THAT(lines("shapes.c", "structures"),
              ElementsAre("for i from 0: n", "read p[i].mass", "read p[i].z", "read p[i].x",
                          "write p[i].x", "write p[i].kind"));
  EXPECT_THAT(lines("shapes.c", "populations"),
              ElementsAre("for c from 0: n", "for k from 0: 19", "read from[c].f[k]",
                          "write cells[c].f[k]"));
  EXPECT_THAT(lines("shapes.c", "globals"), ElementsAre("for i from 0: N", "read shared.b[i]",
                                                        "read shared.a[i]", "write shared.a[i]"));
  EXPECT_THAT(lines("shapes.c", "parts"),
              ElementsAre("for i from 0: n", "read z[i].real", "read z[i].imag", "write r[i]"));
}

TEST(Constructs, ArraysOfFixedAndOfReadRows) {
  EXPECT_THAT(lines("shapes.c", "rows"),
              ElementsAre("for j from 0: n", "for i from 0: m", "read table[i + 200*j]",
                          "write a[i + 300*j]"));
  EXPECT_THAT(lines("shapes.c", "three"),
              ElementsAre("for k from 1: 8", "for j from 1: 18", "for i from 1: 28",
                          "read a[i + 30*j + 600*k - 571]", "write a[i + 30*j + 600*k]"));
  EXPECT_THAT(lines("shapes.c", "pp"),
              ElementsAre("for j from 0: n", "for i from 0: m", "read a[j]", "write a[j][i]"));
}

TEST(Constructs, CountersOfAnyKindAndStep) {
  EXPECT_THAT(lines("shapes.c", "unsigned_counter"),
              ElementsAre("for i from 0 by 3: (n - 1)/3 + 1", "read b[i + 1]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "packed"), ElementsAre("for j from 1: m - 1", "for i from 0: j + 1",
                                                       "read a[j*n + i]", "write a[j*n + i]"));
  EXPECT_THAT(lines("shapes.c", "down"),
              ElementsAre("for i from n - 1 by -1: n", "read a[i]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "stripe"),
              ElementsAre("for i1 from 0: ((n - 1)/s) + 1", "write a[i1*s]"));
  EXPECT_THAT(lines("shapes.c", "do_while"),
              ElementsAre("for i from 0 by 4: (n - 1)/4 + 1", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "two_counters"),
              ElementsAre("for i from 0: n", "read b[2*i + 5]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "pointer_end"),
              ElementsAre("for i1 from 0: (-first + last - 8)/8 + 1", "write first[i1]"));
  EXPECT_THAT(lines("shapes.c", "jumps"),
              ElementsAre("for i from 0: n", "read a[i]", "write a[i]"));
}

TEST(Constructs, ANameStandsForOneNumber) {
  EXPECT_THAT(lines("shapes.c", "same_name"),
              ElementsAre("for i from 0: n", "for k from 0: i", "read a[k]", "write a[k]"));
  EXPECT_THAT(lines("shapes.c", "changed"),
              ElementsAre("for i from 0: n", "write a[i]", "for i from 0: 2*n + 1", "write a[i]",
                          "for i from 0: n - 2", "write a[i]"));
}

TEST(Constructs, WhatHappensSometimesOrEndsEarlyIsSaid) {
  EXPECT_THAT(lines("shapes.c", "find"), ElementsAre("for i from 0: n at most", "read a[i]"));
  EXPECT_THAT(lines("shapes.c", "masked_rows"),
              ElementsAre("for j from 0: n", "for i from 0: m sometimes", "read mask[j]",
                          "write a[j*m + i]"));
  EXPECT_THAT(lines("shapes.c", "continues"),
              ElementsAre("for i from 0: n", "read b[i]", "write a[i] sometimes"));
}

TEST(Constructs, NumbersThatAreNoPolynomialsAreSymbols) {
  EXPECT_THAT(lines("shapes.c", "halves"),
              ElementsAre("for i from 0: (n/2)", "read b[2*i]", "read b[2*i + 1]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "blocked"),
              ElementsAre("for i1 from 0: ((n - 1)/B) + 1",
                          "for i from B*i1: -B*i1 + min(B*i1 + B, n)", "read a[i]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "blocked32"),
              ElementsAre("for ii from 0 by 32: (n - 1)/32 + 1",
                          "for i from ii: min(31, -ii + n - 1) + 1", "read a[i]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "clamped"),
              ElementsAre("for i from 0: n", "read b[i - min(1, i)]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "modulo"),
              ElementsAre("for i from 0: n", "read x[(i%m)]", "write y[i]"));
}

TEST(Constructs, LoopsWithoutEndOrCountHaveNoTrips) {
  EXPECT_THAT(lines("shapes.c", "forever"), ElementsAre("for i1 from 0: ?", "write a[0]"));
  EXPECT_THAT(lines("shapes.c", "length"), ElementsAre("for n from 0: ?", "read s[n]"));
  EXPECT_THAT(lines("shapes.c", "fft_like"),
              ElementsAre("for i1 from 0: ?", "for i from 0: len", "read a[i + len]", "read a[i]",
                          "write a[i]"));
}

TEST(Constructs, IndicesOfWritesAreNamed) {
  EXPECT_THAT(lines("shapes.c", "scatter"),
              ElementsAre("for i from 0: n", "read x[i]", "read idx[i]", "read y[idx[...]]",
                          "write y[idx[...]]"));
}

TEST(Constructs, LoopsStayLoops) {
  EXPECT_THAT(lines("shapes.c", "byte_fill"), ElementsAre("for i from 0: n", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "copying"),
              ElementsAre("for i from 0: n", "read b[i]", "write a[i]"));
  EXPECT_THAT(lines("shapes.c", "sum"), ElementsAre("for i from 0: n", "read a[i]"));
  EXPECT_THAT(lines("shapes.c", "recursive"), ElementsAre("for i from 0: n", "read a[i]"));
}

TEST(Constructs, LoopsOfThreadsAreThoseOfTheSource) {
  EXPECT_THAT(lines("openmp.c", "axpy"),
              ElementsAre("for i from 0: n shared", "read x[i]", "read y[i]", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "stencil"),
              ElementsAre("for j from 1: m - 2 shared", "for i from 1: n - 2",
                          "read a[j*n + i - 1]", "read a[j*n + i + 1]", "write b[j*n + i]"));
  EXPECT_THAT(lines("openmp.c", "dotp"),
              ElementsAre("for i from 0: n shared", "read x[i]", "read y[i]"));
  EXPECT_THAT(lines("openmp.c", "simd_only"),
              ElementsAre("for i from 2 by 2: ((n - 1)/2)", "read x[i]", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "region"),
              ElementsAre("for t from 0: steps", "for i from 0: n shared", "read x[i]", "read y[i]",
                          "write y[i]"));
}

TEST(Constructs, AnyScheduleIsTheWholeLoop) {
  EXPECT_THAT(lines("openmp.c", "dynamic"), ElementsAre("for i from 0: n shared", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "chunks"), ElementsAre("for i from 0: n shared", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "runtime_schedule"),
              ElementsAre("for i from n - 1 by -1: n shared", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "with_if"), ElementsAre("for i from 0: n shared", "write y[i]",
                                                        "for i from 0: n shared", "write y[i]"));
  EXPECT_THAT(lines("openmp.c", "criticals"),
              ElementsAre("for i from 0: n shared", "read y[i]", "read s[0]", "write s[0]",
                          "read y[0]", "write y[0]"));
}

TEST(Constructs, ViewsAndFunctorsAreTheirArrays) {
  EXPECT_THAT(
      lines("views.cpp", "mdspan_like"),
      ElementsAre("for j from 1: a.extents_[0] - 2", "for i from 1: a.extents_[1] - 2",
                  "read a.data_[a.extents_[1]*j + i - 1]", "read a.data_[a.extents_[1]*j + i + 1]",
                  "write b.data_[b.extents_[1]*j + i]"));
  EXPECT_THAT(
      lines("views.cpp", "kokkos2d"),
      ElementsAre("for i from 1: n - 2", "for j from 1: m - 2", "read b.ptr[b.n1*i - b.n1 + j]",
                  "read b.ptr[b.n1*i + j - 1]", "write a.ptr[a.n1*i + j]"));
  EXPECT_THAT(lines("views.cpp", "functors"),
              ElementsAre("for i from 0: n", "read v.ptr[i*v.n1]", "write v.ptr[i*v.n1]"));
  EXPECT_THAT(lines("views.cpp", "reduce"), ElementsAre("for i from 0: n", "read x[i]"));
}

TEST(Constructs, ElementsOfContainersAreThoseOfTheirObject) {
  EXPECT_THAT(lines("views.cpp", "accumulate"),
              ElementsAre("for i1 from 0: v.size()", "read v[i1]"));
  EXPECT_THAT(lines("views.cpp", "transform"),
              ElementsAre("for i1 from 0: v.size()", "read v[i1]", "write w[i1]"));
  EXPECT_THAT(lines("views.cpp", "range_for"),
              ElementsAre("for i1 from 0: v.size()", "read v[i1]", "write v[i1]"));
  EXPECT_THAT(lines("views.cpp", "nested"),
              ElementsAre("for i from 0: n", "for j from 0: m", "read a[i]", "write a[i][j]"));
  EXPECT_THAT(lines("views.cpp", "complexes"),
              ElementsAre("for i1 from 0: z.size()", "read z[i1].real", "read z[i1].imag",
                          "write z[i1].real", "write z[i1].imag"));
  EXPECT_THAT(lines("views.cpp", "particles"),
              ElementsAre("for i1 from 0: p.size()", "for d from 0: 3", "read p[i1].m",
                          "read p[i1].x[d]", "write p[i1].x[d]"));
  EXPECT_THAT(lines("views.cpp", "relax_grid"),
              ElementsAre("for j from 1: g.ny_ - 2", "for i from 1: g.nx_ - 2",
                          "read g.values_[g.nx_*j + i - 1]", "read g.values_[g.nx_*j + i + 1]",
                          "write g.next_[g.nx_*j + i]"));
  EXPECT_THAT(lines("views.cpp", "span_of"),
              ElementsAre("for i1 from 0: s.size()", "read s[i1]", "write s[i1]"));
  EXPECT_THAT(lines("views.cpp", "intspan"),
              ElementsAre("for i from 0: n", "read v[i + n]", "write v[i]"));
  EXPECT_THAT(lines("views.cpp", "sizes"), ElementsAre("for i from 0: v.size()", "write v[i]"));
  EXPECT_THAT(lines("views.cpp", "valarrays"),
              ElementsAre("for i1 from 0: a.size()", "read a[i1]", "read b[i1]", "write a[i1]"));
  EXPECT_THAT(lines("views.cpp", "fixed"),
              ElementsAre("for i from 0: 8", "for j from 0: 8", "read a[j][i]", "read c[i][j]",
                          "write c[i][j]"));
}

TEST(Constructs, ExpressionsOfEigenAreLoops) {
  EXPECT_THAT(lines("eigen.cpp", "axpy"),
              ElementsAre("for index from 0 by 2: (y.rows()/2)", "read x[index..index + 1]",
                          "read y[index..index + 1]", "write y[index..index + 1]",
                          "for index from 2*(y.rows()/2): -2*(y.rows()/2) + y.rows()",
                          "read x[index]", "read y[index]", "write y[index]"));
  EXPECT_THAT(lines("eigen.cpp", "product"),
              ElementsAre("for i from 0: m.rows()", "for j from 0: m.cols()",
                          "read m[i*m.cols() + j]", "read x[j]", "write y[i]"));
}

TEST(Constructs, LoopsOfFortran) {
  if (!testing_programs::is_there("fortran.f90")) {
    GTEST_SKIP() << "there is no flang-new-19";
  }
  EXPECT_THAT(lines("fortran.f90", "axpy"),
              ElementsAre("for i from 1: n", "read y[i - 1]", "read x[i - 1]", "write y[i - 1]"));
  EXPECT_THAT(lines("fortran.f90", "jacobi"),
              ElementsAre("for j from 2: m - 2", "for i from 2: n - 2", "read a[j*n + i - n - 2]",
                          "read a[j*n + i - n]", "read a[j*n + i - 2*n - 1]", "read a[j*n + i - 1]",
                          "write b[j*n + i - n - 1]"));
  EXPECT_THAT(lines("fortran.f90", "concurrent_loop"),
              ElementsAre("for i from 1: n", "read b[i - 1]", "write a[i - 1]"));
  EXPECT_THAT(lines("fortran.f90", "steps"), ElementsAre("for i from hi by -2: ((hi - lo + 2)/2)",
                                                         "read a[i - lo]", "write a[i - lo]"));
  EXPECT_THAT(lines("fortran.f90", "triangle"),
              ElementsAre("for j from 1: n", "for i from 1: j", "read a[j*n + i - n - 1]",
                          "write a[j*n + i - n - 1]"));
  EXPECT_THAT(lines("fortran.f90", "dots"),
              ElementsAre("for i from 1: n", "read x[i - 1]", "read y[i - 1]"));
  EXPECT_THAT(lines("fortran.f90", "spmv"),
              ElementsAre("for r from 1: n", "for k from row[r - 1]: -row[r - 1] + row[r]",
                          "read row[r - 1]", "read row[r]", "read val[k - 1]", "read col[k - 1]",
                          "read x[col[...]]", "write y[r - 1]"));
  EXPECT_THAT(lines("fortran.f90", "on_module"),
              ElementsAre("for j from 1: 200", "for i from 1: 100", "read grid[i + 100*j - 101]",
                          "write grid[i + 100*j - 101]", "for j from 1: n", "for i from 1: n",
                          "write dyn[j*size(dyn,1) + i - size(dyn,1) - 1]"));
  EXPECT_THAT(lines("fortran.f90", "while_loop"),
              ElementsAre("for i from 1: n at most", "read a[i - 1]", "write a[i - 1]"));
  EXPECT_THAT(lines("fortran.f90", "complexes"),
              ElementsAre("for i from 1: n", "read z[i - 1].real", "read z[i - 1].imag",
                          "write z[i - 1].real", "write z[i - 1].imag"));
}

TEST(Constructs, ArraysOfFortranWithDescriptors) {
  if (!testing_programs::is_there("fortran.f90")) {
    GTEST_SKIP() << "there is no flang-new-19";
  }
  EXPECT_THAT(lines("fortran.f90", "assumed"),
              ElementsAre("for j from 1: size(a,2)", "for i from 1: size(a,1)",
                          "read a[j*size(a,1) + i - size(a,1) - 1]",
                          "write b[j*size(b,1) + i - size(b,1) - 1]"));
  EXPECT_THAT(lines("fortran.f90", "assumed_contiguous"),
              ElementsAre("for j from 1: n", "for i from 1: n", "read a[j*size(a,1) + i]",
                          "write b[j*size(b,1) + i - size(b,1) - 1]"));
}

TEST(Constructs, WholeArraysOfFortranAreLoops) {
  if (!testing_programs::is_there("fortran.f90")) {
    GTEST_SKIP() << "there is no flang-new-19";
  }
  EXPECT_THAT(lines("fortran.f90", "array_assignment"),
              ElementsAre("for i1 from 0: n", "read b[i1]", "write a[i1]", "for i1 from 0: (n/2)",
                          "write a[2*i1 + 1]"));
  EXPECT_THAT(lines("fortran.f90", "sums"),
              ElementsAre("for i1 from 0: n", "read a[i1]", "for i1 from 0: n", "read a[i1]"));
}

TEST(Constructs, ABoundThatAnotherPointerMightChangeIsTakenAsUnchangedAndSaidSo) {
  const LoopNest found = nest("shapes.c", "may_alias");
  EXPECT_THAT(lines(found),
              ElementsAre("for i from 0: v.count", "read v.values[i]", "write out[i]"));
  EXPECT_THAT(codes(found), ElementsAre("taken-as-unchanged"));
  EXPECT_THAT(found.notes.front().text, HasSubstr("v.count"));
  EXPECT_THAT(codes(nest("shapes.c", "globals")), IsEmpty());  // the compiler knows that it is
}

TEST(Constructs, AllInstancesOfATemplateAreGiven) {
  const auto both = testing_programs::nests("views.cpp", "axpy");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].function, "axpy<double>");
  EXPECT_EQ(both[1].function, "axpy<float>");
  EXPECT_EQ(nest("views.cpp", "axpy<float>").accesses[0].bytes, 4U);
  EXPECT_THAT(lines("views.cpp", "Grid::relax"), Contains("for j from 1: this.ny_ - 2"));
  const auto none = loop_nests(testing_programs::program("views.cpp"), "views.cpp", "axpi");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("axpy<double>, axpy<float>"));
}

TEST(Constructs, VectorsTakeSeveralElementsAtOnce) {
  const auto found = testing_programs::nests("eigen.cpp", "axpy");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].accesses[0].bytes, 16U);
  EXPECT_EQ(found[0].accesses[0].elements, 2U);
  EXPECT_EQ(found[0].operations[0].count, 2U);
}

TEST(Constructs, WhatIsTakenOfDescriptorsIsSaid) {
  if (!testing_programs::is_there("fortran.f90")) {
    GTEST_SKIP() << "there is no flang-new-19";
  }
  EXPECT_THAT(codes(nest("fortran.f90", "assumed")), Each("taken-as-contiguous"));
  EXPECT_THAT(codes(testing_programs::nests("fortran.f90", "on_module")[1]),
              ElementsAre("taken-from-1"));
}

TEST(Constructs, VectorsCopiesAndAtomicUpdatesAreAccesses) {
  EXPECT_THAT(lines("odd.c", "intrinsics"), ElementsAre("for i from 0 by 4: (n - 1)/4 + 1",
                                                        "read b[i..i + 3]", "write a[i..i + 3]"));
  EXPECT_THAT(lines("odd.c", "copy_struct"),
              ElementsAre("for i from 0: n", "read b[i]", "write a[i]"));
  EXPECT_EQ(nest("odd.c", "copy_struct").accesses[0].bytes, 64U);
  EXPECT_THAT(lines("odd.c", "atomic"), ElementsAre("for i from 0: n", "read a[i]", "write a[i]"));
  EXPECT_THAT(codes(nest("odd.c", "masked")), Each("access-not-read"));
  EXPECT_EQ(codes(nest("odd.c", "gather")).size(), 1U);
}

TEST(Constructs, OddLoopsAreReadAsFarAsTheyAreUnderstood) {
  EXPECT_THAT(testing_programs::nests("odd.c", "irreducible"), IsEmpty());
  EXPECT_THAT(lines("odd.c", "self"), ElementsAre("for i1 from 0: ?"));
  EXPECT_THAT(lines("odd.c", "sw"), Contains("for i from 0: n at most"));
  EXPECT_THAT(lines("odd.c", "vla"), ElementsAre("for i from 1: n - 1", "write t[?]"));
  EXPECT_THAT(lines("odd.c", "neg"), ElementsAre("for i from 0 by -1: n", "write a[-i]"));
  EXPECT_THAT(lines("odd.c", "wrap8"), ElementsAre("for i from 0: n", "write a[i]"));
}

TEST(Constructs, WithoutDebugInformationNamesAreTheCompilers) {
  const auto found = loop_nests(R"(
define void @f(ptr %a, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %goes = icmp slt i64 %next, %n
  br i1 %goes, label %loop, label %end
end:
  ret void
})",
                                "f.ll");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().accesses[0].text(), "write %a[i1]");
  EXPECT_THAT(codes(found->front()), ElementsAre("no-names"));
}

TEST(Constructs, PointersThatRunUpToAnEndAreCounted) {
  const LoopNest found = nest("shapes.c", "up_to_the_end");
  ASSERT_TRUE(found.levels.front().trips);
  EXPECT_EQ(found.levels.front().trips->evaluate(with_derived(found, {{"n", 100}})), 100);
  EXPECT_EQ(found.levels.front().trips->text(), "n");
}

TEST(Constructs, CallsHaveTheirNames) {
  std::vector<std::string> what;
  for (const LoopOperation& each : nest("shapes.c", "calls").operations) {
    what.push_back(each.what);
  }
  EXPECT_THAT(what,
              testing::UnorderedElementsAre("callee", "call through a pointer", "add", "sin"));
}

TEST(Constructs, WhatIsNotKnownIsSaid) {
  EXPECT_THAT(codes(nest("shapes.c", "forever")), ElementsAre("trips-unknown"));
  EXPECT_THAT(codes(nest("shapes.c", "find")), ElementsAre("ends-early"));
  EXPECT_EQ(nest("shapes.c", "modulo").accesses[0].offset, std::nullopt);
}

TEST(Constructs, DerivedSymbolsHaveValuesWhereTheirPartsDo) {
  const LoopNest found = nest("shapes.c", "blocked");
  const auto values = with_derived(found, {{"n", 100}, {"B", 32}, {"i1", 3}});
  EXPECT_EQ(found.levels[0].trips->evaluate(values), 4);
  EXPECT_EQ(found.levels[1].trips->evaluate(values), 4);
  EXPECT_EQ(nest("shapes.c", "halves").levels[0].trips->evaluate({{"n", 7}}), std::nullopt);
}

}  // namespace
}  // namespace ridge::analyze
