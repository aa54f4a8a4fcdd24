// All code of a program that ran or was sampled: file by file, with its regions and their work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "measure/binary/code/executions.hpp"
#include "measure/binary/code/module_regions.hpp"
#include "measure/binary/code/module_work.hpp"
#include "measure/binary/profile/sampled_code.hpp"
#include "measure/binary/record/record.hpp"
#include "measure/binary/runs/plan.hpp"

namespace ridge::measure::binary {

/// The files of a program's code, mapped as long as this lives.
class CodeFiles {
 public:
  CodeFiles();
  ~CodeFiles();
  CodeFiles(const CodeFiles&) = delete;
  CodeFiles& operator=(const CodeFiles&) = delete;

  /// Empty where there is no such file.
  [[nodiscard]] ModuleFile file(const std::string& path);
  /// nullptr where there is no such file, or it is no linked program or library.
  [[nodiscard]] const machine_code::ElfImage* image(const std::string& path);
  /// As the file numbers its code; nullopt where it loads nothing from this offset. Without a file
  /// that is known: the offset itself.
  [[nodiscard]] std::optional<std::uint64_t> address_of(const std::string& path,
                                                        std::uint64_t offset);
  /// The other way.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(const std::string& path,
                                                       std::uint64_t address);

 private:
  struct Entry;
  [[nodiscard]] Entry& entry(const std::string& path);

  std::vector<std::unique_ptr<Entry>> entries_;
};

struct CodeModule {
  /// Of code that was made at run time: as its runtime names it (/tmp/perf-PID.map); empty: no
  /// name.
  std::string made;
  ExecutedModule executed;
  ModuleRegions regions;
  std::vector<ModuleWork> work;    ///< like regions.regions
  std::uint32_t first_region = 0;  ///< number of its first among those of the program
};

struct ProgramCode {
  std::vector<CodeModule> modules;
  std::uint32_t region_count = 0;
  std::vector<std::uint32_t> region_of_place;         ///< by SampledCode::places
  std::vector<std::optional<std::uint32_t>> parents;  ///< by region
  /// By region: itself, or the one that has its time and work (join_chosen_code()).
  std::vector<std::uint32_t> stands_for;
};

/// That a region of the program is in. `region`: its number, smaller than region_count.
[[nodiscard]] const CodeModule& module_of(const ProgramCode& code, std::uint32_t region);

/// `processes`: records of the run that counted.
[[nodiscard]] ProgramCode program_code(const SampledCode& samples,
                                       std::span<const Record> processes, CodeFiles& files);

/// Numbers of the regions of all its modules, which are there already; parents, and that each
/// stands for itself.
void number_regions(ProgramCode& code);

/// Work of the same regions in another run.
[[nodiscard]] std::vector<ModuleWork> work_in(const ProgramCode& code,
                                              std::span<const Record> processes, CodeFiles& files);

/// In place of what its regions did; `work`: like work_in().
void set_work(ProgramCode& code, const std::vector<ModuleWork>& work);

/// Whose code is where, by offsets in files. Region r of the program is r + 1 of the plan.
[[nodiscard]] std::vector<PlannedModule> planned_modules(const ProgramCode& code, CodeFiles& files);

}  // namespace ridge::measure::binary
