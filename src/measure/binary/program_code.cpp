#include "measure/binary/program_code.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "machine_code/elf_image.hpp"
#include "measure/binary/code/file_addresses.hpp"
#include "measure/binary/code/made_code.hpp"
#include "measure/binary/module_files.hpp"
#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/profile/work_sum.hpp"
#include "measure/binary/record/executed_modules.hpp"
#include "measure/code/mapped_file.hpp"

namespace ridge::measure::binary {

struct CodeFiles::Entry {
  explicit Entry(std::string name) : path(std::move(name)), files(path, {}) {
    if (auto read = machine_code::ElfImage::read(files.file().bytes)) {
      image = std::move(*read);
    }
  }

  std::string path;
  ModuleFiles files;
  std::optional<machine_code::ElfImage> image;
};

CodeFiles::CodeFiles() = default;
CodeFiles::~CodeFiles() = default;

CodeFiles::Entry& CodeFiles::entry(const std::string& path) {
  const auto found = std::ranges::find_if(
      entries_, [&](const std::unique_ptr<Entry>& known) { return known->path == path; });
  if (found != entries_.end()) {
    return **found;
  }
  return *entries_.emplace_back(std::make_unique<Entry>(path));
}

ModuleFile CodeFiles::file(const std::string& path) {
  return path.empty() ? ModuleFile{} : entry(path).files.file();
}

const machine_code::ElfImage* CodeFiles::image(const std::string& path) {
  if (path.empty() || !entry(path).image) {
    return nullptr;
  }
  return &*entry(path).image;
}

std::optional<std::uint64_t> CodeFiles::address_of(const std::string& path, std::uint64_t offset) {
  if (path.empty() || !entry(path).image) {
    return offset;
  }
  return file_address(*entry(path).image, offset);
}

std::optional<std::uint64_t> CodeFiles::offset_of(const std::string& path, std::uint64_t address) {
  if (path.empty() || !entry(path).image) {
    return address;
  }
  return entry(path).image->file_offset(address);
}

namespace {

FileLookup lookup(CodeFiles& files) {
  return [&files](const std::string& path) { return files.file(path).bytes; };
}

/// Names that runtimes left of the code that they made, process by process.
class MadeNames {
 public:
  /// Empty where there is none.
  std::string name(std::int64_t pid, std::uint64_t address) {
    const auto [found, is_new] = functions_.try_emplace(pid);
    if (is_new) {
      const MappedFile map(fmt::format("/tmp/perf-{}.map", pid));
      found->second =
          parse_perf_map({reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size()});
    }
    return std::string(made_name(found->second, address));
  }

 private:
  std::map<std::int64_t, std::vector<MadeFunction>> functions_;
};

/// A module of a program: its file, and of made code its name.
using ModuleKey = std::pair<std::string, std::string>;

/// By place.
std::vector<ModuleKey> keys_of(const SampledCode& samples, MadeNames& names) {
  std::vector<std::int64_t> pids(samples.places.size(), 0);
  for (const SampledMoment& moment : samples.moments) {
    pids[moment.place] = samples.threads[moment.thread].pid;
  }
  std::vector<ModuleKey> keys;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    const SampledPlace& place = samples.places[i];
    const std::string& path = samples.files[place.file];
    keys.emplace_back(path, path.empty() ? names.name(pids[i], place.offset) : std::string());
  }
  return keys;
}

/// What was sampled, by module.
std::map<ModuleKey, std::vector<std::uint64_t>> sampled_addresses(
    const SampledCode& samples, const std::vector<ModuleKey>& keys, CodeFiles& files) {
  std::map<ModuleKey, std::vector<std::uint64_t>> found;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const auto address = files.address_of(keys[i].first, samples.places[i].offset)) {
      found[keys[i]].push_back(*address);
    }
  }
  for (auto& [path, addresses] : found) {
    std::ranges::sort(addresses);
    const auto same = std::ranges::unique(addresses);
    addresses.erase(same.begin(), same.end());
  }
  return found;
}

void add_parents(ProgramCode& code, const CodeModule& module) {
  for (const ModuleRegion& region : module.regions.regions) {
    code.parents.push_back(region.parent ? std::optional(module.first_region + *region.parent)
                                         : std::nullopt);
  }
}

void place_samples(ProgramCode& code, const SampledCode& samples,
                   const std::vector<ModuleKey>& keys, CodeFiles& files) {
  std::map<ModuleKey, const CodeModule*> by_key;
  for (const CodeModule& module : code.modules) {
    by_key[{module.executed.path, module.made}] = &module;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto module = by_key.find(keys[i]);
    const auto address = files.address_of(keys[i].first, samples.places[i].offset);
    std::uint32_t region = kNoRegion;
    if (module != by_key.end() && address) {
      if (const auto found = module->second->regions.find(*address)) {
        region = module->second->first_region + *found;
      }
    }
    code.region_of_place.push_back(region);
  }
}

/// Code that was made at run time, function by function of those whose names are known.
std::vector<CodeModule> made_modules(ExecutedModule executed, std::span<const Record> processes,
                                     MadeNames& names) {
  std::map<std::string, CodeModule> parts;
  for (std::size_t i = 0; i < executed.instructions.size(); ++i) {
    std::string name;
    for (std::size_t p = 0; p < processes.size() && name.empty(); ++p) {
      name = names.name(processes[p].pid, executed.instructions[i].address);
    }
    CodeModule& part = parts[name];
    part.made = name;
    part.executed.changed = executed.changed;
    part.executed.instructions.push_back(executed.instructions[i]);
    part.executed.by_thread.resize(executed.by_thread.size());
    for (std::size_t thread = 0; thread < executed.by_thread.size(); ++thread) {
      if (!executed.by_thread[thread].empty()) {
        part.executed.by_thread[thread].push_back(executed.by_thread[thread][i]);
      }
    }
  }
  std::vector<CodeModule> modules;
  for (auto& [name, part] : parts) {
    modules.push_back(std::move(part));
  }
  return modules;
}

void name_made_regions(CodeModule& module) {
  for (ModuleRegion& region : module.regions.regions) {
    if (!module.made.empty()) {
      region.kind = RegionKind::function;
      region.name = region.function = module.made;
    }
  }
}

}  // namespace

const CodeModule& module_of(const ProgramCode& code, std::uint32_t region) {
  const auto behind = std::ranges::upper_bound(code.modules, region, {}, &CodeModule::first_region);
  auto module = std::prev(behind);
  while (module->regions.regions.empty()) {
    --module;  // begins where the next one does
  }
  return *module;
}

ProgramCode program_code(const SampledCode& samples, std::span<const Record> processes,
                         CodeFiles& files) {
  ProgramCode code;
  MadeNames names;
  const auto keys = keys_of(samples, names);
  auto sampled = sampled_addresses(samples, keys, files);
  for (ExecutedModule& executed : executed_modules(processes, lookup(files))) {
    if (executed.path.empty()) {
      auto made = made_modules(std::move(executed), processes, names);
      std::ranges::move(made, std::back_inserter(code.modules));
    } else {
      code.modules.emplace_back().executed = std::move(executed);
    }
  }
  for (const CodeModule& module : code.modules) {
    sampled.try_emplace({module.executed.path, module.made});
  }
  for (const auto& [key, addresses] : sampled) {
    auto module = std::ranges::find_if(code.modules, [&](const CodeModule& known) {
      return known.executed.path == key.first && known.made == key.second;
    });
    if (module == code.modules.end()) {
      CodeModule& timed = code.modules.emplace_back();
      timed.executed.path = key.first;
      timed.made = key.second;
      module = code.modules.end() - 1;
    }
    module->regions = module_regions(files.file(key.first), module->executed, addresses);
    name_made_regions(*module);
    module->work = module_work(module->regions, module->executed);
  }
  number_regions(code);
  place_samples(code, samples, keys, files);
  return code;
}

void number_regions(ProgramCode& code) {
  for (CodeModule& module : code.modules) {
    module.first_region = code.region_count;
    code.region_count += static_cast<std::uint32_t>(module.regions.regions.size());
    add_parents(code, module);
  }
  code.stands_for.resize(code.region_count);
  std::iota(code.stands_for.begin(), code.stands_for.end(), 0U);
}

namespace {

/// What is counted with another region goes there.
void join_work(const ProgramCode& code, std::vector<ModuleWork>& work) {
  std::map<std::uint32_t, WorkSum> sums;
  for (std::uint32_t i = 0; i < work.size(); ++i) {
    if (const std::uint32_t joined = code.stands_for[i]; joined != i) {
      sums[joined].add(work[i].work);
      work[joined].instructions += work[i].instructions;
      work[i] = {};
    }
  }
  for (const auto& [joined, sum] : sums) {
    work[joined].work = sum.finish();
  }
}

}  // namespace

std::vector<ModuleWork> work_in(const ProgramCode& code, std::span<const Record> processes,
                                CodeFiles& files) {
  std::vector<ModuleWork> work(code.region_count);
  for (const ExecutedModule& executed : executed_modules(processes, lookup(files))) {
    for (const CodeModule& module : code.modules) {
      const bool has_place = !executed.path.empty();  // made code lies elsewhere in each run
      if (has_place && module.executed.path == executed.path) {
        auto of_module = module_work(module.regions, executed);
        std::ranges::move(of_module, work.begin() + module.first_region);
      }
    }
  }
  join_work(code, work);
  return work;
}

void set_work(ProgramCode& code, const std::vector<ModuleWork>& work) {
  for (CodeModule& module : code.modules) {
    const auto first = work.begin() + module.first_region;
    module.work.assign(first, first + static_cast<std::ptrdiff_t>(module.regions.regions.size()));
  }
}

std::vector<PlannedModule> planned_modules(const ProgramCode& code, CodeFiles& files) {
  std::vector<PlannedModule> planned;
  for (const CodeModule& module : code.modules) {
    if (module.executed.path.empty()) {
      continue;  // it lies elsewhere in each run
    }
    PlannedModule& one = planned.emplace_back();
    one.path = module.executed.path;
    for (const ModuleRegions::Owner& owner : module.regions.owners) {
      const auto begin = files.offset_of(one.path, owner.range.begin);
      if (begin && owner.range.size() > 0) {
        one.ranges.push_back({*begin, *begin + owner.range.size(),
                              code.stands_for[module.first_region + owner.region] + 1});
      }
    }
    std::ranges::sort(one.ranges, {}, &PlannedRange::begin);
  }
  return planned;
}

}  // namespace ridge::measure::binary
