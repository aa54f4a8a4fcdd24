// Files that stand under their name only when they are whole: readers see the old file or the new
// one, never a part of it, and an error leaves nothing behind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace ridge::platform {

/// What a file is filled through. After an error nothing more is written.
class FileSink {
 public:
  explicit FileSink(int file) : file_(file) {}
  void put(std::string_view bytes);
  [[nodiscard]] std::error_code error() const { return error_; }

 private:
  int file_;
  std::error_code error_;
};

using FillFile = std::function<void(FileSink&)>;

/// Fills a file beside `name` in the folder with this descriptor (AT_FDCWD: `name` is a path) and
/// gives it the name. A full disk is seen, also where the file system tells it only on closing; a
/// limit of the file size is an error, no signal. The error: of the system call that failed.
[[nodiscard]] std::error_code replace_file(int folder, const std::string& name,
                                           const FillFile& fill);
[[nodiscard]] std::error_code replace_file(int folder, const std::string& name,
                                           std::string_view bytes);
[[nodiscard]] std::error_code replace_file(const std::filesystem::path& file, const FillFile& fill);
[[nodiscard]] std::error_code replace_file(const std::filesystem::path& file,
                                           std::string_view bytes);

/// Whether replace_file could write a byte there, without replacing anything.
[[nodiscard]] std::error_code try_to_replace(const std::filesystem::path& file);

}  // namespace ridge::platform
