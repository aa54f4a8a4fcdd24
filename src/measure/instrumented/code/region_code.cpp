#include "measure/instrumented/code/region_code.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "machine_code/decode.hpp"
#include "measure/code/line_table.hpp"

namespace ridge::measure {
namespace {

using machine_code::AddressRange;
using machine_code::ElfImage;

std::uint64_t multiply_saturating(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

void add_times(OperationCounts& sum, const OperationCounts& once, std::uint64_t executions) {
  for (const auto& [key, flops] : once.by_key()) {
    sum.add(key, multiply_saturating(flops, executions));
  }
}

/// What a line did, before lanes under a mask are shared out.
struct LineSum {
  OperationCounts plain;
  OperationCounts masked;
  Traffic data{};
  bool data_unknown = false;
  std::uint64_t flops = 0;

  void add(const InstructionWork& work, std::uint64_t executions) {
    add_times(plain, work.plain, executions);
    add_times(masked, work.masked, executions);
    data_unknown = data_unknown || !work.data;
    const Traffic once = work.data.value_or(Traffic{});
    data +=
        {multiply_saturating(once.read, executions), multiply_saturating(once.written, executions)};
  }
};

using LineSums = std::map<SourcePosition, LineSum>;

/// What is gathered of one wanted region.
struct Gathered {
  LineSums lines;
  const ExecutedBlock* hottest = nullptr;
};

std::uint64_t heat(const ExecutedBlock& block) {
  return multiply_saturating(block.executions, block.instructions.size());
}

/// Of the lanes under a mask of one key, those that the region's own flops say were on: shared out
/// in proportion, so that the lines sum to them.
void share_lanes(const OperationKey& key, std::uint64_t on, std::uint64_t all, LineSums& lines) {
  std::uint64_t given = 0;
  LineSum* largest = nullptr;
  for (auto& [position, line] : lines) {
    const std::uint64_t own = line.masked.of(key);
    const auto share = static_cast<std::uint64_t>(static_cast<__int128>(own) * on / all);
    line.flops += share;
    given += share;
    largest = largest == nullptr || own > largest->masked.of(key) ? &line : largest;
  }
  largest->flops += on - given;
}

std::uint64_t flops_of(const Work& work, const OperationKey& key) {
  for (const WorkTerm& term : work.terms) {
    if (term.precision == key.precision && term.kind == key.kind &&
        term.width_bits == key.width_bits) {
      return term.flops;
    }
  }
  return 0;
}

void set_flops(LineSums& lines, const Work& known) {
  OperationCounts plain;
  OperationCounts masked;
  for (auto& [position, line] : lines) {
    line.flops = line.plain.total();
    plain += line.plain;
    masked += line.masked;
  }
  for (const auto& [key, all] : masked.by_key()) {
    const std::uint64_t counted = flops_of(known, key);
    share_lanes(key, std::min(counted - std::min(counted, plain.of(key)), all), all, lines);
  }
}

std::vector<LineWork> line_work(LineSums& lines, const WantedRegion& region) {
  set_flops(lines, region.flops);
  std::vector<LineWork> work;
  for (const auto& [position, line] : lines) {
    if (line.flops == 0 && line.data.total() == 0 && !line.data_unknown) {
      continue;
    }
    LineWork one;
    if (position.file != region.file) {
      one.file = std::string(position.file);
    }
    one.line = position.line;
    one.flops = line.flops;
    if (!line.data_unknown) {
      one.bytes_loaded = line.data.read;
      one.bytes_stored = line.data.written;
    }
    work.push_back(std::move(one));
  }
  const auto weight = [](const LineWork& line) {
    return *line.flops + line.bytes_loaded.value_or(0) + line.bytes_stored.value_or(0);
  };
  if (work.size() > kMostLines) {
    std::stable_sort(work.begin(), work.end(),
                     [&](const LineWork& a, const LineWork& b) { return weight(a) > weight(b); });
    work.resize(kMostLines);
  }
  std::sort(work.begin(), work.end(), [](const LineWork& a, const LineWork& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  return work;
}

/// Compilers leave loads without a line that they fold into the instruction that uses them.
std::optional<SourcePosition> position_of(const LineTable& table, const ExecutedBlock& block,
                                          std::size_t instruction) {
  auto position = table.find(block.instructions[instruction].address);
  for (auto user = block.instructions[instruction].used_by; !position && user;
       user = block.instructions[*user].used_by) {
    position = table.find(block.instructions[*user].address);
  }
  return position;
}

CodeBlock code_block(const ElfImage& image, const LineTable& table, const ExecutedBlock& block,
                     const std::string& file) {
  CodeBlock code;
  code.executions = block.executions;
  for (std::size_t i = 0; i < std::min(block.instructions.size(), kMostInstructions); ++i) {
    const InstructionWork& work = block.instructions[i];
    const auto bytes = image.bytes_at(work.address, work.length);
    const auto text = bytes ? machine_code::disassemble(image.architecture(), *bytes, work.address)
                            : Result<std::string>("(bad)");
    const auto position = position_of(table, block, i);
    code.instructions.push_back(
        {work.address, text.value_or("(bad)"),
         position && position->file == file ? std::optional(position->line) : std::nullopt,
         work.plain.total() + work.masked.total(), work.moved.read, work.moved.written});
  }
  return code;
}

/// Of one file.
class CodeOfRegions {
 public:
  CodeOfRegions(const ElfImage& image, const LineTable& table,
                const std::vector<ExecutedBlock>& blocks,
                const std::map<ModuleRegion, std::size_t>& wanted)
      : image_(image), table_(table), wanted_(wanted) {
    for (const ExecutedBlock& block : blocks) {
      if (block.regions.size() == 1) {
        for (std::size_t i = 0; i < block.instructions.size(); ++i) {
          if (const auto position = position_of(table, block, i)) {
            lines_of_[block.regions.front()].insert(*position);
          }
        }
      }
    }
    for (const ExecutedBlock& block : blocks) {
      add(block);
    }
  }

  void write_to(std::span<const WantedRegion> wanted, std::vector<RegionCode>& code) {
    for (auto& [index, gathered] : gathered_) {
      const WantedRegion& region = wanted[index];
      code[index].lines = line_work(gathered.lines, region);
      if (gathered.hottest != nullptr) {
        code[index].hottest_block = code_block(image_, table_, *gathered.hottest, region.file);
      }
    }
  }

 private:
  [[nodiscard]] const ModuleRegion& owner(const ExecutedBlock& block,
                                          const SourcePosition& position) const {
    for (const ModuleRegion& region : block.regions) {
      const auto lines = lines_of_.find(region);
      if (lines != lines_of_.end() && lines->second.contains(position)) {
        return region;
      }
    }
    return block.regions.front();
  }

  void add(const ExecutedBlock& block) {
    std::map<std::size_t, std::size_t> instructions;  ///< how many, by wanted region
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      const auto position = position_of(table_, block, i);
      const ModuleRegion& region = position ? owner(block, *position) : block.regions.front();
      const auto found = wanted_.find(region);
      if (found == wanted_.end()) {
        continue;
      }
      ++instructions[found->second];
      if (position) {
        gathered_[found->second].lines[*position].add(block.instructions[i], block.executions);
      }
    }
    for (const auto& [index, count] : instructions) {
      Gathered& gathered = gathered_[index];
      const bool is_mostly_its = 2 * count > block.instructions.size();
      if (is_mostly_its && (gathered.hottest == nullptr || heat(block) > heat(*gathered.hottest))) {
        gathered.hottest = &block;
      }
    }
  }

  const ElfImage& image_;
  const LineTable& table_;
  const std::map<ModuleRegion, std::size_t>& wanted_;
  std::map<ModuleRegion, std::set<SourcePosition>> lines_of_;
  std::map<std::size_t, Gathered> gathered_;  ///< by index of the wanted region
};

/// Of the functions, each once.
std::vector<AddressRange> functions_of(const std::vector<ExecutedBlock>& blocks) {
  std::map<std::uint64_t, AddressRange> by_begin;
  for (const ExecutedBlock& block : blocks) {
    by_begin.emplace(block.function.begin, block.function);
  }
  std::vector<AddressRange> functions;
  for (const auto& [begin, function] : by_begin) {
    functions.push_back(function);
  }
  return functions;
}

void add_file(std::span<const CountedModule> modules,
              const std::map<ModuleRegion, std::size_t>& by_region,
              std::span<const WantedRegion> wanted, std::vector<RegionCode>& code) {
  const MappedFile mapped{std::string(modules.front().loaded.file)};
  const auto image = ElfImage::read(mapped.bytes());
  std::vector<const LoadedModule*> loaded;
  for (const CountedModule& module : modules) {
    loaded.push_back(&module.loaded);
  }
  if (!image || difference(*image, mapped.bytes(), loaded)) {
    return;  // the notes of the counts say so (code_reader.hpp)
  }
  std::set<ModuleRegion> regions;
  for (const auto& [region, index] : by_region) {
    regions.insert(region);
  }
  const auto blocks = executed_blocks(*image, modules, regions);
  if (blocks) {
    const LineTable table = LineTable::read(mapped.bytes(), functions_of(*blocks));
    CodeOfRegions(*image, table, *blocks, by_region).write_to(wanted, code);
  }
}

/// Files of the modules that a region is merged from.
std::set<std::string_view> files_of(const WantedRegion& region,
                                    std::span<const CountedModule> modules) {
  std::set<std::string_view> files;
  for (const ModuleRegion& part : region.parts) {
    files.insert(modules[part.module].loaded.file);
  }
  return files;
}

bool is_known(const CountedModule& module) {
  return module.loaded.descriptor != nullptr && !module.loaded.file.empty();
}

}  // namespace

std::vector<RegionCode> region_code(std::span<const CountedModule> modules,
                                    std::span<const WantedRegion> wanted) {
  std::vector<RegionCode> code(wanted.size());
  std::map<std::string_view, std::vector<std::size_t>> wanted_in;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // Of code that several files hold neither would be the whole.
    if (const auto files = files_of(wanted[i], modules); files.size() == 1) {
      wanted_in[*files.begin()].push_back(i);
    }
  }
  for (const auto& [file, regions] : wanted_in) {
    std::vector<CountedModule> of_this;
    std::map<std::size_t, std::size_t> place;  ///< in of_this
    for (std::size_t i = 0; i < modules.size(); ++i) {
      if (modules[i].loaded.file == file && is_known(modules[i])) {
        place[i] = of_this.size();
        of_this.push_back(modules[i]);
      }
    }
    std::map<ModuleRegion, std::size_t> by_region;
    for (const std::size_t i : regions) {
      for (const ModuleRegion& part : wanted[i].parts) {
        if (const auto found = place.find(part.module); found != place.end()) {
          by_region[{found->second, part.region}] = i;
        }
      }
    }
    if (!by_region.empty()) {
      add_file(of_this, by_region, wanted, code);
    }
  }
  return code;
}

}  // namespace ridge::measure
