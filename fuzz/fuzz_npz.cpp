#include "fuzz/fuzz_file.hpp"
#include "spmv/read/npz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ridge::spmv::fuzz_reader(data, size, ridge::spmv::peek_npz,
                                  ridge::spmv::read_npz<std::int32_t>);
}
