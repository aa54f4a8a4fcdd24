#include "fuzz/fuzz_file.hpp"
#include "spmv/read/harwell_boeing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ridge::spmv::fuzz_reader(data, size, ridge::spmv::peek_harwell_boeing,
                                  ridge::spmv::read_harwell_boeing<std::int32_t>);
}
