// A folder for the files of engines, gone with its owner.
#pragma once

#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace ridge::measure::binary {

class WorkFolder {
 public:
  /// In $TMPDIR, else /tmp. Error: unavailable.
  [[nodiscard]] static Result<WorkFolder> create();

  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();

  /// A new one inside. Error: unavailable.
  [[nodiscard]] Result<std::filesystem::path> room(const std::string& name) const;

 private:
  explicit WorkFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace ridge::measure::binary
