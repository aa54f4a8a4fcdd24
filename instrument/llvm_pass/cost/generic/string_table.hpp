// Strings of the descriptor: each kept once, named by its offset.
#pragma once

#include <cstdint>
#include <string>

#include <llvm/ADT/StringMap.h>

namespace ridge::pass {

class StringTable {
 public:
  /// Offset of the NUL-terminated text; 0 for the empty one.
  uint32_t intern(llvm::StringRef text);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
  llvm::StringMap<uint32_t> offsets_;
};

}  // namespace ridge::pass
