#include <algorithm>
#include <memory>
#include <petscmat.h>

#include "peers.hpp"

void add_petsc(const Matrix& matrix, int threads, const double* x, double* y,
               std::vector<Peer>& peers) {
  if (threads != 1) {
    return;
  }
  PetscBool begun = PETSC_FALSE;
  PetscInitialized(&begun);
  if (begun == PETSC_FALSE) {
    PetscInitializeNoArguments();
  }
  // PETSc takes the arrays as its own without changing them.
  auto* rows = const_cast<PetscInt*>(matrix.row_begin.data());
  auto* columns = const_cast<PetscInt*>(matrix.column.data());
  auto* values = const_cast<PetscScalar*>(matrix.value.data());
  Mat petsc = nullptr;
  if (MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, matrix.rows, matrix.columns, rows, columns, values,
                                &petsc) != 0) {
    return;
  }
  Vec from = nullptr;
  Vec to = nullptr;
  VecCreateSeqWithArray(PETSC_COMM_SELF, 1, matrix.columns, x, &from);
  VecCreateSeqWithArray(PETSC_COMM_SELF, 1, matrix.rows, y, &to);
  peers.push_back({"PETSc", [=] { MatMult(petsc, from, to); }});
}
