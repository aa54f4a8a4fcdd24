#include "instrument/llvm_pass/cost/generic/string_table.hpp"

namespace ridge::pass {

uint32_t StringTable::intern(llvm::StringRef text) {
  text = text.split('\0').first;
  if (text.empty()) return 0;
  const auto [entry, inserted] = offsets_.try_emplace(text, static_cast<uint32_t>(bytes_.size()));
  if (inserted) {
    bytes_.append(text.begin(), text.end());
    bytes_.push_back('\0');
  }
  return entry->second;
}

}  // namespace ridge::pass
