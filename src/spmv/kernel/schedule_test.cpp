#include "spmv/kernel/schedule.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spmv/format/many.hpp"
#include "spmv/format/product.hpp"
#include "spmv/generate/generate.hpp"

namespace ridge::spmv {
namespace {

constexpr Schedule kAll[] = {Schedule::rows, Schedule::entries, Schedule::block_cyclic,
                             Schedule::dynamic};

/// Calls `work` where OpenMP gives no further thread, as in a parallel region of the program that
/// uses this library.
template <class Work>
void inside_a_parallel_region(const Work& work) {
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    work();
  }
  omp_set_max_active_levels(levels);
}

TEST(Schedule, EveryUnitOnceThoughThereAreFewerThreads) {
  constexpr std::int64_t kUnits = 1000;
  for (const Schedule schedule : kAll) {
    for (const int threads : {1, 2, 5}) {
      const auto work = Work::shared_out(kUnits, threads, [](std::int64_t i) { return i * i; });
      std::vector<int> done(kUnits, 0);
      int parts = 0;
      inside_a_parallel_region([&] {
        run_parts(work, schedule, [&](std::int64_t first, std::int64_t last, int thread) {
          EXPECT_GE(thread, 0);
          EXPECT_LT(thread, threads);
          ++parts;
          for (std::int64_t i = first; i < last; ++i) {
            ++done[static_cast<std::size_t>(i)];
          }
        });
      });
      EXPECT_EQ(done, std::vector<int>(kUnits, 1)) << name_of(schedule) << " " << threads;
      EXPECT_GT(parts, 0);
    }
  }
}

TEST(Schedule, ProductsInsideAParallelRegion) {
  const auto matrix = generate("poisson2d:40");
  ASSERT_TRUE(matrix) << matrix.error().message;
  const auto rows = static_cast<std::size_t>(matrix->rows);
  std::vector<double> x(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = std::sin(static_cast<double>(i));
  }
  std::vector<double> expected(rows);
  multiply_slowly(*matrix, 1, x.data(), 0, expected.data());
  for (const char* name : {"csr", "sell-32-64", "pattern", "gather-blocked", "symmetric"}) {
    for (const Schedule schedule : kAll) {
      Execution execution;
      execution.threads = 3;
      execution.schedule = schedule;
      const auto product = make_product<double>(*matrix, *parse_format(name), execution);
      ASSERT_TRUE(product) << product.error().message;
      std::vector<double> y(rows, std::nan(""));
      inside_a_parallel_region([&] { (*product)->multiply(1, x.data(), 0, y.data()); });
      for (std::size_t i = 0; i < rows; ++i) {
        ASSERT_NEAR(y[i], expected[i], 1e-13) << name << " " << name_of(schedule) << " row " << i;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::spmv
