// read_matrix FILE.mtx ROUNDS: seconds of each reader in turn, one line each: NAME SECONDS ENTRIES.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "spmv/read/matrix_file.hpp"

/// Entries read by librsb, 0 where it is not there (librsb.cpp, no_librsb.cpp).
std::size_t read_with_librsb(const char* file);

namespace {

/// As the reference code of Matrix Market reads: fscanf into coordinates.
std::size_t read_with_fscanf(const char* name) {
  std::FILE* file = std::fopen(name, "r");
  char line[1024];
  while (std::fgets(line, sizeof line, file) != nullptr && line[0] == '%') {
  }
  int rows = 0;
  int columns = 0;
  int entries = 0;
  if (std::sscanf(line, "%d %d %d", &rows, &columns, &entries) != 3) {
    std::abort();
  }
  const auto size = static_cast<std::size_t>(entries);
  std::vector<int> row(size);
  std::vector<int> column(size);
  std::vector<double> value(size);
  for (std::size_t k = 0; k < size; ++k) {
    if (std::fscanf(file, "%d %d %lg\n", &row[k], &column[k], &value[k]) != 3) {
      std::abort();
    }
  }
  std::fclose(file);
  return size;
}

template <int kThreads>
std::size_t read_with_ridge(const char* name) {
  const auto file = ridge::spmv::read_matrix<std::int32_t>(name, kThreads);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    std::exit(3);
  }
  return file->matrix.entries();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: read_matrix FILE.mtx ROUNDS\n");
    return 2;
  }
  const struct {
    const char* name;
    std::size_t (*read)(const char*);
  } readers[] = {{"ridge-1-thread", read_with_ridge<1>},
                 {"ridge-2-threads", read_with_ridge<2>},
                 {"fscanf", read_with_fscanf},
                 {"librsb", read_with_librsb}};
  constexpr int kReaders = std::size(readers);
  for (int round = 0; round < std::atoi(words[2]); ++round) {
    // The order changes: what one frees, the next has to touch less slowly for the first time.
    for (int i = 0; i < kReaders; ++i) {
      const auto& reader = readers[round % 2 == 0 ? (i + round / 2) % kReaders
                                                  : (kReaders - 1 - i + round / 2) % kReaders];
      const auto begin = std::chrono::steady_clock::now();
      const std::size_t entries = reader.read(words[1]);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      if (entries != 0) {
        std::printf("%s %.6f %zu\n", reader.name, seconds.count(), entries);
        std::fflush(stdout);
      }
    }
  }
  return 0;
}
