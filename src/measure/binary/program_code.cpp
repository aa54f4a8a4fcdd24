#include "measure/binary/program_code.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "machine_code/elf_image.hpp"
#include "measure/binary/code/file_addresses.hpp"
#include "measure/binary/module_files.hpp"
#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/record/executed_modules.hpp"

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

/// By file of the samples, what was sampled there.
std::map<std::string, std::vector<std::uint64_t>> sampled_addresses(const SampledCode& samples,
                                                                    CodeFiles& files) {
  std::map<std::string, std::vector<std::uint64_t>> found;
  for (const SampledPlace& place : samples.places) {
    const std::string& path = samples.files[place.file];
    if (const auto address = files.address_of(path, place.offset)) {
      found[path].push_back(*address);
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

void place_samples(ProgramCode& code, const SampledCode& samples, CodeFiles& files) {
  std::map<std::string, const CodeModule*> by_path;
  for (const CodeModule& module : code.modules) {
    by_path[module.executed.path] = &module;
  }
  for (const SampledPlace& place : samples.places) {
    const std::string& path = samples.files[place.file];
    const auto module = by_path.find(path);
    const auto address = files.address_of(path, place.offset);
    std::uint32_t region = kNoRegion;
    if (module != by_path.end() && address) {
      if (const auto found = module->second->regions.find(*address)) {
        region = module->second->first_region + *found;
      }
    }
    code.region_of_place.push_back(region);
  }
}

}  // namespace

ProgramCode program_code(const SampledCode& samples, std::span<const Record> processes,
                         CodeFiles& files) {
  ProgramCode code;
  auto sampled = sampled_addresses(samples, files);
  for (ExecutedModule& executed : executed_modules(processes, lookup(files))) {
    code.modules.emplace_back().executed = std::move(executed);
    sampled.try_emplace(code.modules.back().executed.path);
  }
  for (const auto& [path, addresses] : sampled) {
    auto module = std::ranges::find_if(
        code.modules, [&](const CodeModule& known) { return known.executed.path == path; });
    if (module == code.modules.end()) {
      code.modules.emplace_back().executed.path = path;
      module = code.modules.end() - 1;
    }
    module->regions = module_regions(files.file(path), module->executed, addresses);
    module->work = module_work(module->regions, module->executed);
  }
  for (CodeModule& module : code.modules) {
    module.first_region = code.region_count;
    code.region_count += static_cast<std::uint32_t>(module.regions.regions.size());
    add_parents(code, module);
  }
  place_samples(code, samples, files);
  return code;
}

std::vector<ModuleWork> work_in(const ProgramCode& code, std::span<const Record> processes,
                                CodeFiles& files) {
  std::vector<ModuleWork> work(code.region_count);
  for (const ExecutedModule& executed : executed_modules(processes, lookup(files))) {
    for (const CodeModule& module : code.modules) {
      if (module.executed.path == executed.path) {
        auto of_module = module_work(module.regions, executed);
        std::ranges::move(of_module, work.begin() + module.first_region);
      }
    }
  }
  return work;
}

std::vector<PlannedModule> planned_modules(const ProgramCode& code, CodeFiles& files) {
  std::vector<PlannedModule> planned;
  for (const CodeModule& module : code.modules) {
    PlannedModule& one = planned.emplace_back();
    one.path = module.executed.path;
    for (const ModuleRegions::Owner& owner : module.regions.owners) {
      const auto begin = files.offset_of(one.path, owner.range.begin);
      if (begin && owner.range.size() > 0) {
        one.ranges.push_back(
            {*begin, *begin + owner.range.size(), module.first_region + owner.region + 1});
      }
    }
    std::ranges::sort(one.ranges, {}, &PlannedRange::begin);
  }
  return planned;
}

}  // namespace ridge::measure::binary
