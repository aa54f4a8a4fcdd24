// A file to read from at any place, and the words for what is wrong with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::spmv {

/// An open regular file. Reading from several threads at once is fine. No mapping: a file that
/// somebody shortens meanwhile is an error, not a signal.
class InputFile {
 public:
  /// Error: unavailable if it cannot be opened, bad_input if it is no regular file.
  [[nodiscard]] static Result<InputFile> open(const std::filesystem::path& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// As many of `bytes` as there are from `offset` on.
  [[nodiscard]] Result<std::size_t> read_some(std::uint64_t offset, char* to,
                                              std::size_t bytes) const;
  /// All of `bytes`; where the file ends before that, it is truncated.
  [[nodiscard]] Result<void> read(std::uint64_t offset, char* to, std::size_t bytes) const;

  // Errors of kind bad_input. Bytes count from 0, lines from 1.
  [[nodiscard]] tl::unexpected<Error> bad(std::string_view reason, std::string hint = {}) const;
  [[nodiscard]] tl::unexpected<Error> bad_line(std::uint64_t line, std::string_view reason,
                                               std::string hint = {}) const;
  [[nodiscard]] tl::unexpected<Error> bad_byte(std::uint64_t offset, std::string_view reason,
                                               std::string hint = {}) const;

 private:
  InputFile(int descriptor, std::uint64_t size, std::string name)
      : descriptor_(descriptor), size_(size), name_(std::move(name)) {}

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string name_;
};

/// Text of a file, fit for a message: printable, at most about 40 characters.
[[nodiscard]] std::string shown_text(std::string_view text);

/// Whether `bytes` of memory can be had; where not, the error says what wants them.
[[nodiscard]] Result<void> check_memory(std::uint64_t bytes, std::string_view what);

}  // namespace ridge::spmv
