// plasma [STEPS] [PARTICLES]: electrons in a magnetic field, by particles in cells. A small program
// with a hot loop of each kind: vector arithmetic, streams, stencils, and indirect accesses.
//
//   ridge-c++ -O3 -march=native -fopenmp plasma.cpp -o plasma
//   ridge run -- ./plasma

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kEdge = 512;  // cells of the periodic grid in each direction
constexpr int kCells = kEdge * kEdge;
constexpr double kStep = 0.05;
constexpr int kTurns = 32;  // pieces of the gyration in a step
constexpr int kSweeps = 20;

struct Electrons {
  std::vector<double> x, y, u, v;  // places in cells, velocities in cells per unit of time
};

struct Fields {
  std::vector<double> charge = std::vector<double>(kCells);
  std::vector<double> potential = std::vector<double>(kCells);
  std::vector<double> other = std::vector<double>(kCells);
  std::vector<double> ex = std::vector<double>(kCells);
  std::vector<double> ey = std::vector<double>(kCells);
};

int wrapped(int cell) {
  return cell & (kEdge - 1);
}

/// In [0, 1): the fractional parts of multiples of an irrational number, spread evenly.
double spread(int index, double irrational) {
  const double product = index * irrational;
  return product - std::floor(product);
}

Electrons scattered(int count) {
  const auto size = static_cast<std::size_t>(count);
  Electrons electrons{std::vector<double>(size), std::vector<double>(size),
                      std::vector<double>(size), std::vector<double>(size)};
  for (int i = 0; i < count; ++i) {
    electrons.x[i] = kEdge * spread(i, 0.7548776662466927);
    electrons.y[i] = kEdge * spread(i, 0.5698402909980532);
    electrons.u[i] = 2.0 * spread(i, 0.8191725133961645) - 1.0;
    electrons.v[i] = 2.0 * spread(i, 0.6710436067037893) - 1.0;
  }
  return electrons;
}

/// Indirect: adds to the cell of each electron.
void deposit_charge(const Electrons& electrons, Fields& fields) {
  const std::size_t count = electrons.x.size();
  const double part = static_cast<double>(kCells) / static_cast<double>(count);
  fields.charge.assign(kCells, 1.0);  // the ions, at rest
  for (std::size_t i = 0; i < count; ++i) {
    const int cell = wrapped(static_cast<int>(electrons.y[i])) * kEdge +
                     wrapped(static_cast<int>(electrons.x[i]));
    fields.charge[cell] -= part;
  }
}

/// A stencil: one step of Jacobi's iteration.
void sweep(const std::vector<double>& charge, const std::vector<double>& from,
           std::vector<double>& to) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < kEdge; ++row) {
    const double* here = &from[row * kEdge];
    const double* above = &from[wrapped(row + 1) * kEdge];
    const double* below = &from[wrapped(row - 1) * kEdge];
    for (int column = 1; column < kEdge - 1; ++column) {
      to[row * kEdge + column] = 0.25 * (here[column - 1] + here[column + 1] + above[column] +
                                         below[column] + charge[row * kEdge + column]);
    }
  }
}

/// Streams: differences of neighbours.
void differentiate(Fields& fields) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < kEdge; ++row) {
    for (int column = 1; column < kEdge - 1; ++column) {
      const int cell = row * kEdge + column;
      fields.ex[cell] = 0.5 * (fields.potential[cell - 1] - fields.potential[cell + 1]);
      fields.ey[cell] = 0.5 * (fields.potential[wrapped(row - 1) * kEdge + column] -
                               fields.potential[wrapped(row + 1) * kEdge + column]);
    }
  }
}

/// Gathers: the field at each electron changes its velocity.
void accelerate(Electrons& electrons, const Fields& fields) {
  const auto count = static_cast<int>(electrons.x.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) {
    const int cell = wrapped(static_cast<int>(electrons.y[i])) * kEdge +
                     wrapped(static_cast<int>(electrons.x[i]));
    electrons.u[i] -= kStep * fields.ex[cell];
    electrons.v[i] -= kStep * fields.ey[cell];
  }
}

/// Arithmetic: the magnetic field turns each velocity, by small rotations of exact length.
void gyrate(Electrons& electrons) {
  const auto count = static_cast<int>(electrons.x.size());
  const double half = 0.5 * kStep / kTurns;
  const double sine = 2.0 * half / (1.0 + half * half);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) {
    double u = electrons.u[i];
    double v = electrons.v[i];
    for (int turn = 0; turn < kTurns; ++turn) {
      const double middle = u + half * v;
      v -= sine * middle;
      u = middle + half * v;
    }
    electrons.u[i] = u;
    electrons.v[i] = v;
  }
}

/// Streams through all electrons.
void move(Electrons& electrons) {
  const auto count = static_cast<int>(electrons.x.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) {
    const double x = electrons.x[i] + kStep * electrons.u[i];
    const double y = electrons.y[i] + kStep * electrons.v[i];
    electrons.x[i] = x - kEdge * std::floor(x / kEdge);
    electrons.y[i] = y - kEdge * std::floor(y / kEdge);
  }
}

double kinetic_energy(const Electrons& electrons) {
  const auto count = static_cast<int>(electrons.x.size());
  double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < count; ++i) {
    sum += electrons.u[i] * electrons.u[i] + electrons.v[i] * electrons.v[i];
  }
  return 0.5 * sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 30;
  const int count = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  if (steps < 1 || count < 1) {
    std::fprintf(stderr, "usage: plasma [STEPS >= 1] [PARTICLES >= 1]\n");
    return 2;
  }
  Electrons electrons = scattered(count);
  Fields fields;
  const double before = kinetic_energy(electrons);
  for (int step = 0; step < steps; ++step) {
    deposit_charge(electrons, fields);
    for (int i = 0; i < kSweeps; ++i) {
      sweep(fields.charge, fields.potential, fields.other);
      fields.potential.swap(fields.other);
    }
    differentiate(fields);
    accelerate(electrons, fields);
    gyrate(electrons);
    move(electrons);
  }
  std::printf("%d electrons, %d steps, kinetic energy %.6e, was %.6e\n", count, steps,
              kinetic_energy(electrons), before);
  return 0;
}
