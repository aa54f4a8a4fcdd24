// heat2d [SIZE] [STEPS]: heat flow on a SIZE x SIZE plate, explicit steps, OpenMP.
//
//   ridge-c++ -O3 -march=native -fopenmp heat2d.cpp -o heat2d
//   ridge run -- ./heat2d

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using Grid = std::vector<double>;

// The plate is cold but for a hot disc in the middle; its edge stays at 0.
static Grid initial_temperature(long size) {
  Grid grid(static_cast<std::size_t>(size * size), 0.0);
  const double middle = 0.5 * static_cast<double>(size - 1);
  const double radius = 0.25 * static_cast<double>(size);
  for (long j = 1; j < size - 1; ++j) {
    for (long i = 1; i < size - 1; ++i) {
      const double x = static_cast<double>(i) - middle;
      const double y = static_cast<double>(j) - middle;
      if (x * x + y * y < radius * radius) grid[static_cast<std::size_t>(j * size + i)] = 100.0;
    }
  }
  return grid;
}

// One explicit Euler step of the 5-point Laplacian, a Jacobi sweep.
static void heat_step(long size, double rate, const Grid& from_grid, Grid& to_grid) {
  const double* from = from_grid.data();
  double* to = to_grid.data();
#pragma omp parallel for schedule(static)
  for (long j = 1; j < size - 1; ++j) {
    const double* row = from + j * size;
    for (long i = 1; i < size - 1; ++i) {
      to[j * size + i] =
          row[i] + rate * (row[i - 1] + row[i + 1] + row[i - size] + row[i + size] - 4.0 * row[i]);
    }
  }
}

// Root mean square over the plate.
static double mean_temperature(const Grid& grid) {
  double sum = 0.0;
  const long count = static_cast<long>(grid.size());
  const double* data = grid.data();
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < count; ++i) sum += data[i] * data[i];
  return std::sqrt(sum / static_cast<double>(count));
}

int main(int argc, char** argv) {
  const long size = argc > 1 ? std::atol(argv[1]) : 1500;
  const long steps = argc > 2 ? std::atol(argv[2]) : 100;
  if (size < 3 || steps < 1) {
    std::fprintf(stderr, "usage: heat2d [SIZE >= 3] [STEPS >= 1]\n");
    return 2;
  }
  constexpr double kRate = 0.2;  // stable below 1/4
  constexpr long kStepsPerReport = 50;
  Grid now = initial_temperature(size);
  Grid next(now.size(), 0.0);
  for (long step = 1; step <= steps; ++step) {
    heat_step(size, kRate, now, next);
    std::swap(now, next);
    if (step % kStepsPerReport == 0 || step == steps) {
      std::printf("step %5ld: rms temperature %.9f\n", step, mean_temperature(now));
    }
  }
  return 0;
}
