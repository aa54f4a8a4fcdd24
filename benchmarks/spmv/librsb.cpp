#include <memory>
#include <rsb.h>

#include "peers.hpp"

namespace {

struct Free {
  void operator()(rsb_mtx_t* matrix) const { rsb_mtx_free(matrix); }
};

std::shared_ptr<rsb_mtx_t> convert(const Matrix& matrix) {
  rsb_err_t error = RSB_ERR_NO_ERROR;
  return {rsb_mtx_alloc_from_csr_const(
              matrix.value.data(), matrix.row_begin.data(), matrix.column.data(),
              static_cast<rsb_nnz_idx_t>(matrix.entries()), RSB_NUMERICAL_TYPE_DOUBLE, matrix.rows,
              matrix.columns, 1, 1, RSB_FLAG_NOFLAGS, &error),
          Free()};
}

void add(const std::string& name, const std::shared_ptr<rsb_mtx_t>& matrix, int threads,
         const double* x, double* y, std::vector<Peer>& peers) {
  peers.push_back({name, [=] {
                     rsb_int_t wanted = threads;
                     rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &wanted);
                     const double one = 1;
                     const double zero = 0;
                     rsb_spmv(RSB_TRANSPOSITION_N, &one, matrix.get(), x, 1, &zero, y, 1);
                   }});
}

}  // namespace

void add_librsb(const Matrix& matrix, int threads, const double* x, double* y,
                std::vector<Peer>& peers) {
  rsb_lib_init(RSB_NULL_INIT_OPTIONS);
  rsb_int_t wanted = threads;
  rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &wanted);
  add("librsb", convert(matrix), threads, x, y, peers);
  rsb_mtx_t* tuned = nullptr;
  const auto plain = convert(matrix);
  if (rsb_mtx_clone(&tuned, RSB_NUMERICAL_TYPE_SAME_TYPE, RSB_TRANSPOSITION_N, nullptr, plain.get(),
                    RSB_FLAG_IDENTICAL_FLAGS) != RSB_ERR_NO_ERROR) {
    return;
  }
  const double one = 1;
  constexpr rsb_int_t kRounds = 2;
  constexpr rsb_time_t kSeconds = 10;
  // x and y of its own: the time that tuning needs is not ours to print.
  if (rsb_tune_spmm(&tuned, nullptr, nullptr, kRounds, kSeconds, RSB_TRANSPOSITION_N, &one, nullptr,
                    1, RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, nullptr, 0, nullptr, nullptr,
                    0) == RSB_ERR_NO_ERROR) {
    add("librsb tuned", std::shared_ptr<rsb_mtx_t>(tuned, Free()), threads, x, y, peers);
  }
}
