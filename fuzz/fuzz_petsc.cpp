#include "fuzz/fuzz_file.hpp"
#include "spmv/read/petsc_matrix.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ridge::spmv::fuzz_reader(data, size, ridge::spmv::peek_petsc,
                                  ridge::spmv::read_petsc<std::int32_t>);
}
