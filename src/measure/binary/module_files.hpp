// Files of programs and libraries that ran, and those that hold their debug information.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/binary/code/module_regions.hpp"
#include "measure/code/mapped_file.hpp"

namespace ridge::measure::binary {

/// A file that ran, and its debug information, in memory for as long as this lives.
class ModuleFiles {
 public:
  /// `build_id`: of what ran; empty: unknown. Debug information is looked for in the file itself,
  /// by build ID and by .gnu_debuglink in /usr/lib/debug, beside the file, and in debuginfod's
  /// folder on disk. Nothing is fetched.
  ModuleFiles(std::string path, std::span<const std::byte> build_id);

  /// `bytes` are empty where the file cannot be read, and where it is another one than ran.
  [[nodiscard]] ModuleFile file() const;
  /// The file is there, and has another build ID than what ran.
  [[nodiscard]] bool was_replaced() const { return replaced_; }

 private:
  std::string path_;
  std::unique_ptr<MappedFile> program_;
  std::unique_ptr<MappedFile> debug_;
  bool replaced_ = false;
};

}  // namespace ridge::measure::binary
