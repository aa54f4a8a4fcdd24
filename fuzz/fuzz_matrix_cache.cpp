#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "fuzz/fuzz_file.hpp"
#include "spmv/read/matrix_cache.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint64_t number_at(const Bytes& file, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  std::memcpy(&number, file.data() + at, size);
  return number;
}

/// The checksum as docs/formats/matrix-files.md has it, of parts that are filled up with zeros.
std::uint64_t checksum(const Bytes& filled) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::array<std::uint64_t, 8> lanes = {1, 2, 3, 4, 5, 6, 7, 8};
  for (std::size_t at = 0; at < filled.size(); at += 8) {
    std::uint64_t& lane = lanes[at / 8 % 8];
    lane = std::rotl(lane ^ number_at(filled, at, 8), 29) * kFactor;
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t lane : lanes) {
    sum = (std::rotl(sum, 23) ^ lane) * kFactor;
  }
  return sum ^ (sum >> 32);
}

/// Sets the right checksum, where the sizes in the head fit the file: else nothing that is read
/// after the checksum would ever be tried.
void repair(Bytes& file) {
  constexpr std::size_t kHead = 96;
  constexpr std::size_t kChecksum = 88;
  if (file.size() < kHead) {
    return;
  }
  const std::uint64_t index = number_at(file, 12, 4);
  const std::uint64_t rows = number_at(file, 16, 8);
  const std::uint64_t entries = number_at(file, 32, 8);
  const std::uint64_t title = number_at(file, 80, 8);
  if (index > 8 || std::max({rows, entries, title}) > file.size()) {
    return;
  }
  std::memset(file.data() + kChecksum, 0, 8);
  Bytes filled;
  std::size_t from = 0;
  for (const std::uint64_t size :
       {kHead + title, (rows + 1) * index, entries * index, entries * 8}) {
    if (from + size > file.size()) {
      return;
    }
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(from);
    filled.insert(filled.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    filled.resize((filled.size() + 63) / 64 * 64);
    from = filled.size();
  }
  const std::uint64_t sum = checksum(filled);
  std::memcpy(file.data() + kChecksum, &sum, sizeof sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes file(data, data + size);
  // As it is where the first byte of the checksum is 0, so that wrong ones are tried as well.
  if (size <= 88 || data[88] != 0) {
    repair(file);
  }
  return ridge::spmv::fuzz_reader(file.data(), size, ridge::spmv::peek_matrix_cache,
                                  ridge::spmv::read_matrix_cache<std::int32_t>);
}
