// Other libraries' products of the same matrix. Each is built where it is installed; where not, its
// function adds nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spmv/matrix/csr.hpp"

struct Peer {
  std::string name;
  std::function<void()> multiply;        ///< y = A x
  std::function<void()> read_back = {};  ///< where y is not written in place: to look at it
};

using Matrix = ridge::spmv::CsrMatrix<double, std::int32_t>;

void add_eigen(const Matrix& matrix, int threads, const double* x, double* y,
               std::vector<Peer>& peers);
/// As it comes, and after rsb_tune_spmm.
void add_librsb(const Matrix& matrix, int threads, const double* x, double* y,
                std::vector<Peer>& peers);
/// One process: its product does not use threads.
void add_petsc(const Matrix& matrix, int threads, const double* x, double* y,
               std::vector<Peer>& peers);
/// By its semiring of plus and times on doubles.
void add_graphblas(const Matrix& matrix, int threads, const double* x, double* y,
                   std::vector<Peer>& peers);
