// Where the files of a result go: checked before the program starts, written after it has ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

struct ResultFile {
  std::string name;
  std::string text;
};

/// NAME becomes NAME.1, or .2 when that exists ... 0, also where there is nothing, or an errno.
[[nodiscard]] int move_aside(const std::filesystem::path& path);

class ResultFolder {
 public:
  /// The folder `name` (-o), or ridge-out when there is no name. Creates nothing. Errors: usage
  /// when a named one holds a result and `force` is not set; write_failed when it cannot be
  /// written.
  [[nodiscard]] static Result<ResultFolder> prepare(const std::optional<std::string>& name,
                                                    bool force);

  ResultFolder(ResultFolder&& other) noexcept;
  ResultFolder& operator=(ResultFolder&& other) noexcept;
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder();

  /// Where the files are: once the folder is ours, under whatever name it has now.
  [[nodiscard]] std::filesystem::path path() const;

  /// Makes the folder ours, once: an unnamed one that exists is first moved to the next free
  /// NAME.1, NAME.2 ... From then on files go into it whatever it is called: another run may move
  /// it aside. False when that cannot be; write() then says why.
  [[nodiscard]] bool claim();
  /// After claim(): the profile as it is known so far, complete or not at all. Pictures and pages
  /// of an older result go away: they are not of this one.
  [[nodiscard]] bool write_snapshot(std::string_view profile) const;

  /// Writes all files, each complete or not at all, after claim() where that was not called. Error
  /// (write_failed): what could not be written, and where the first file (the profile) was saved
  /// instead.
  [[nodiscard]] Result<void> write(const std::vector<ResultFile>& files);

 private:
  ResultFolder(std::filesystem::path path, bool is_named)
      : path_(std::move(path)), is_named_(is_named) {}
  [[nodiscard]] int try_to_claim();
  [[nodiscard]] bool still_exists() const;

  std::filesystem::path path_;
  bool is_named_ = false;
  int folder_ = -1;  ///< open, once it is ours
};

}  // namespace ridge::cli
