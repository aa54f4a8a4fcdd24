#include "serialize/json_keys.hpp"

#include <cstring>
#include <functional>
#include <random>

namespace ridge::serialize {
namespace {

/// Odd, and another one in each process: nobody can write keys that all meet in one slot.
std::uint64_t random_odd() {
  static const std::uint64_t value = [] {
    std::random_device device;
    return (std::uint64_t{device()} << 32U | device()) | 1U;
  }();
  return value;
}

/// Nearly all keys are short, and a call of the general hash takes longer than reading them.
std::size_t hash_of(std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::uint64_t odd = random_odd();
  if (text.size() > 2 * kWord) {
    return std::hash<std::string_view>{}(text);
  }
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (text.size() >= kWord) {
    std::memcpy(&first, text.data(), kWord);
    std::memcpy(&last, text.data() + text.size() - kWord, kWord);
  } else {
    for (const char c : text) {
      first = first << 8U | static_cast<unsigned char>(c);
    }
  }
  const std::uint64_t mixed = ((first * odd >> 29U) ^ first ^ (last * odd) ^ text.size()) * odd;
  return mixed >> 32U;
}

}  // namespace

std::string_view JsonKeys::text(Id id) const {
  const TextRange& range = texts_[id];
  return std::string_view(pool_).substr(range.offset, range.length);
}

std::size_t JsonKeys::slot_of(std::string_view text) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(text) & mask;
  while (slots_[slot] != kNone && this->text(slots_[slot]) != text) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

JsonKeys::Id JsonKeys::find(std::string_view text) const {
  return slots_.empty() ? kNone : slots_[slot_of(text)];
}

JsonKeys::Id JsonKeys::id_of(std::string_view text) {
  if (2 * texts_.size() >= slots_.size()) {
    grow();
  }
  Id& slot = slots_[slot_of(text)];
  if (slot == kNone) {
    slot = static_cast<Id>(texts_.size());
    texts_.push_back(
        {static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(text.size())});
    pool_ += text;
  }
  return slot;
}

void JsonKeys::grow() {
  constexpr std::size_t kFirst = 256;
  slots_.assign(slots_.empty() ? kFirst : 2 * slots_.size(), kNone);
  for (Id id = 0; id < texts_.size(); ++id) {
    slots_[slot_of(text(id))] = id;
  }
}

}  // namespace ridge::serialize
