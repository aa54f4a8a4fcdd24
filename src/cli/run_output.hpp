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

class ResultFolder {
 public:
  /// The folder `name` (-o), or ridge-out when there is no name. Creates nothing. Errors: usage
  /// when a named one holds a result and `force` is not set; bad_input when it cannot be written.
  [[nodiscard]] static Result<ResultFolder> prepare(const std::optional<std::string>& name,
                                                    bool force);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes all files, each complete or not at all. An unnamed folder that exists is first moved to
  /// the next free NAME.1, NAME.2 ... Error (write_failed): what could not be written, and where
  /// the first file (the profile) was saved instead.
  [[nodiscard]] Result<void> write(const std::vector<ResultFile>& files) const;

 private:
  ResultFolder(std::filesystem::path path, bool is_named)
      : path_(std::move(path)), is_named_(is_named) {}

  std::filesystem::path path_;
  bool is_named_ = false;
};

}  // namespace ridge::cli
