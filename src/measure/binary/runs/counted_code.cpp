#include "measure/binary/runs/counted_code.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "abi/version.h"

namespace ridge::measure::binary {
namespace {

using machine_code::AddressRange;
using machine_code::ElfImage;

/// FNV-1a, of all that may be executed.
std::string hash_of_code(const ElfImage& image) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const AddressRange& range : image.executable_ranges()) {
    for (const std::uint8_t byte :
         image.bytes_from(range.begin)
             .first(std::min<std::uint64_t>(range.size(), image.bytes_from(range.begin).size()))) {
      hash = (hash ^ byte) * 0x100000001b3U;
    }
  }
  return fmt::format("code-{:016x}", hash);
}

std::string identity_of(const ElfImage& image) {
  const auto& build_id = image.build_id();
  return build_id && !build_id->empty() ? *build_id : hash_of_code(image);
}

/// Functions whole, and what lies outside of them.
std::vector<CodeRange> ranges_of(const ModuleRegions& regions) {
  std::vector<AddressRange> found;
  for (const machine_code::Function& function : regions.functions) {
    found.push_back(function.range);
  }
  for (const ModuleRegions::Owner& owner : regions.owners) {
    found.push_back(owner.range);
  }
  std::ranges::sort(found, [](const AddressRange& a, const AddressRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<CodeRange> apart;
  std::uint64_t end = 0;
  for (const AddressRange& range : found) {
    if (range.end > std::max(end, range.begin)) {
      const std::uint64_t begin = std::max(end, range.begin);
      apart.push_back({begin, range.end - begin});
      end = range.end;
    }
  }
  return apart;
}

std::vector<AddressRange> addresses_of(const CountedFile& file) {
  std::vector<AddressRange> ranges;
  for (const CodeRange& range : file.code) {
    ranges.push_back({range.begin, range.begin + range.bytes});
  }
  return ranges;
}

tl::unexpected<Error> to_count_again(std::string message) {
  return fail(ErrorCode::bad_input, std::move(message),
              "Count first: mpirun -n N ridge run --into RESULT --only-counts -- PROGRAM");
}

}  // namespace

CountedCode counted_code(const ProgramCode& code, CodeFiles& files) {
  CountedCode counted{ridge_version_text, {}};
  for (const CodeModule& module : code.modules) {
    const ElfImage* image = files.image(module.executed.path);
    if (image != nullptr && !module.regions.owners.empty()) {
      counted.files.push_back(
          {module.executed.path, identity_of(*image), ranges_of(module.regions)});
    }
  }
  std::ranges::sort(counted.files, {}, &CountedFile::path);
  return counted;
}

Result<ProgramCode> planned_code(const CountedCode& counted, const std::string& program,
                                 CodeFiles& files) {
  if (std::ranges::find(counted.files, program, &CountedFile::path) == counted.files.end()) {
    return to_count_again(fmt::format("{} was not counted in this result", program));
  }
  ProgramCode code;
  for (const CountedFile& file : counted.files) {
    const ElfImage* image = files.image(file.path);
    if (image == nullptr) {
      continue;  // what is gone cannot run
    }
    if (identity_of(*image) != file.identity) {
      return to_count_again(
          fmt::format("{} is another file now than the one that was counted", file.path));
    }
    CodeModule& module = code.modules.emplace_back();
    module.executed.path = file.path;
    module.regions = module_regions(files.file(file.path), addresses_of(file));
    module.work.resize(module.regions.regions.size());
  }
  number_regions(code);
  return code;
}

}  // namespace ridge::measure::binary
