// The machine code of the programs and libraries that a run loaded, from their files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/note.hpp"
#include "measure/instrumented/code/machine_counts.hpp"
#include "measure/instrumented/code/program_file.hpp"

namespace ridge::measure {

/// Reads each file once, however many processes loaded it.
class CodeReader {
 public:
  /// One for each module. Those whose code could not be read have no counts: they keep the counts
  /// of the IR, and notes() says why. A file that is not the one that ran (other build ID, or
  /// without the descriptors that lay in memory) is not read.
  [[nodiscard]] std::vector<MachineCounts> counts(const std::vector<LoadedModule>& modules);

  /// What somebody should know who reads the counts; each once.
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

 private:
  struct Known {
    std::string descriptors;  ///< of which the counts are
    std::vector<MachineCounts> counts;
  };
  std::vector<MachineCounts> of_file(const std::vector<const LoadedModule*>& modules);
  void say(std::string_view file, std::string_view problem);

  std::map<std::string, Known, std::less<>> known_;  ///< by path
  std::vector<Note> notes_;
};

}  // namespace ridge::measure
