#include "fuzz/fuzz_file.hpp"
#include "spmv/read/matrix_market.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ridge::spmv::fuzz_reader(data, size, ridge::spmv::peek_matrix_market,
                                  ridge::spmv::read_matrix_market<std::int32_t>);
}
