// A file in memory, for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ridge::measure {

/// A file in memory, for as long as this lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Empty where it cannot be read, and for what is no ordinary file.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return data_ != nullptr ? std::span(data_, size_) : std::span<const std::uint8_t>{};
  }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ridge::measure
