#include <cstddef>
#include <cstdlib>
#include <rsb.h>

std::size_t read_with_librsb(const char* file);
std::size_t read_with_librsb(const char* file) {
  static const bool started = rsb_lib_init(RSB_NULL_INIT_OPTIONS) == RSB_ERR_NO_ERROR;
  rsb_err_t error = RSB_ERR_NO_ERROR;
  rsb_mtx_t* matrix =
      started ? rsb_file_mtx_load(file, RSB_FLAG_NOFLAGS, RSB_NUMERICAL_TYPE_DOUBLE, &error)
              : nullptr;
  if (matrix == nullptr) {
    std::abort();
  }
  rsb_nnz_idx_t entries = 0;
  rsb_mtx_get_info(matrix, RSB_MIF_MATRIX_NNZ__TO__RSB_NNZ_INDEX_T, &entries);
  rsb_mtx_free(matrix);
  return static_cast<std::size_t>(entries);
}
