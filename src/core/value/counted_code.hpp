// Code of a program that ran while it was counted. The run that simulates follows it, where that is
// another start of the program: a rank of a parallel program cannot be started twice.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ridge {

struct CodeRange {
  std::uint64_t begin = 0;  ///< as the file numbers its code (ELF)
  std::uint64_t bytes = 0;

  friend auto operator<=>(const CodeRange&, const CodeRange&) = default;
};

/// Of a program or library.
struct CountedFile {
  std::string path;             ///< as the kernel names it in its list of mappings
  std::string identity;         ///< its build ID, or a hash of its machine code
  std::vector<CodeRange> code;  ///< functions that ran in part, and code outside functions; by
                                ///< address, apart from one another
  friend bool operator==(const CountedFile&, const CountedFile&) = default;
};

struct CountedCode {
  std::string ridge_version;       ///< of the one that counted
  std::vector<CountedFile> files;  ///< by path, each once

  friend bool operator==(const CountedCode&, const CountedCode&) = default;
};

}  // namespace ridge
