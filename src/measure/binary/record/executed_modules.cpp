#include "measure/binary/record/executed_modules.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "core/quantity/saturating.hpp"
#include "machine_code/decode.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Architecture;
using machine_code::ElfImage;
using machine_code::Flow;
using machine_code::Segment;

/// Bytes of an instruction at most.
constexpr std::size_t kLongest = 15;

using Code = std::span<const std::uint8_t>;

/// What is read of a file once.
struct File {
  std::optional<ElfImage> image;

  /// In the numbers of the file; nullopt where it loads nothing from this offset.
  [[nodiscard]] std::optional<std::uint64_t> address_of(std::uint64_t offset) const {
    if (!image) {
      return offset;
    }
    const Segment* found = nullptr;
    for (const Segment& segment : image->segments()) {
      const bool holds =
          offset >= segment.file_offset && offset - segment.file_offset < segment.file_size;
      if (holds && (found == nullptr || (segment.executable && !found->executable))) {
        found = &segment;
      }
    }
    return found != nullptr ? std::optional(found->address + (offset - found->file_offset))
                            : std::nullopt;
  }

  [[nodiscard]] bool differs(std::uint64_t address, Code code) const {
    if (!image) {
      return false;
    }
    const auto bytes = image->bytes_at(address, code.size());
    return !bytes || !std::ranges::equal(*bytes, code);
  }
};

/// One encoding at one address.
struct Variant {
  std::uint64_t executions = 0;
  std::optional<std::uint64_t> active_lanes = 0;  ///< nullopt: not of every block
  std::optional<std::uint64_t> turns = 0;         ///< likewise
};

using Variants = std::map<std::vector<std::uint8_t>, Variant>;

/// nullopt where one of them is not known.
std::optional<std::uint64_t> sum_of(std::optional<std::uint64_t> a,
                                    std::optional<std::uint64_t> b) {
  return a && b ? std::optional(saturating_add(*a, *b)) : std::nullopt;
}

void add_into(Variant& sum, const Variant& more) {
  sum.executions = saturating_add(sum.executions, more.executions);
  sum.active_lanes = sum_of(sum.active_lanes, more.active_lanes);
  sum.turns = sum_of(sum.turns, more.turns);
}

struct Gathered {
  std::map<std::uint64_t, Variants> by_address;
  bool changed = false;
};

/// Where the instructions of a block came to lie.
struct Placed {
  std::string path;
  std::vector<std::uint64_t> addresses;
};

/// Of each block of one record, by all threads.
std::vector<std::uint64_t> block_executions(const Record& record) {
  std::vector<std::uint64_t> blocks(record.blocks.size());
  for (const auto& [number, thread] : record.threads) {
    for (const auto& [block, executions] : thread.executions) {
      blocks[block] = saturating_add(blocks[block], executions);
    }
  }
  return blocks;
}

struct Piece {
  std::size_t length = 1;
  bool repeats = false;  ///< a string instruction with rep
};

bool repeats(const machine_code::Instruction& instruction) {
  return std::ranges::any_of(instruction.memory(), [](const machine_code::MemoryOperand& operand) {
    return operand.repeated;
  });
}

/// The instructions of a block; the last one may stand for several (see the header).
std::vector<Piece> pieces_of(Code code) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  const auto instructions = machine_code::decode(Architecture::x86_64, code, 0);
  for (const machine_code::Instruction& instruction : *instructions) {
    if (instruction.flow == Flow::undecodable) {
      pieces.push_back({std::min(code.size() - at, kLongest), false});
      break;
    }
    pieces.push_back({instruction.length, repeats(instruction)});
    at += instruction.length;
  }
  return pieces;
}

/// Of a block, by all threads; nullopt where nobody looked.
std::optional<std::uint64_t> turns_of(const Record& record, std::uint32_t block) {
  std::uint64_t sum = 0;
  for (const auto& [number, thread] : record.threads) {
    const auto found = thread.turns.find(block);
    sum = saturating_add(sum, found != thread.turns.end() ? found->second : 0);
  }
  return record.has_turns ? std::optional(sum) : std::nullopt;
}

class Gatherer {
 public:
  explicit Gatherer(const FileLookup& file_of) : file_of_(file_of) {}

  /// Where its blocks lie, by number; those that did not run nowhere.
  std::vector<Placed> add(const Record& record) {
    const std::vector<std::uint64_t> executions = block_executions(record);
    std::vector<Placed> places(executions.size());
    for (std::uint32_t block = 0; block < executions.size(); ++block) {
      if (executions[block] != 0) {
        places[block] = add(record, block, executions[block]);
      }
    }
    return places;
  }

  [[nodiscard]] const std::map<std::string, Gathered>& modules() const { return modules_; }
  [[nodiscard]] std::string build_id_of(const std::string& path) const {
    const auto found = files_.find(path);
    return found != files_.end() && found->second.image
               ? found->second.image->build_id().value_or("")
               : std::string();
  }

 private:
  const File& file(const std::string& path) {
    const auto [found, is_new] = files_.try_emplace(path);
    if (is_new) {
      if (auto image = ElfImage::read(file_of_(path))) {
        found->second.image = std::move(*image);
      }
    }
    return found->second;
  }

  Placed add(const Record& record, std::uint32_t number, std::uint64_t executions) {
    const RecordedBlock& block = record.blocks[number];
    const RecordedMapping* const mapping = record.mapping_of(block);
    const File* const file =
        mapping != nullptr && mapping->path ? &this->file(*mapping->path) : nullptr;
    const auto in_file =
        file != nullptr ? file->address_of(mapping->file_offset + (block.address - mapping->begin))
                        : std::nullopt;
    const std::uint64_t begin = in_file.value_or(block.address);
    if (begin > ~std::uint64_t{0} - block.code.size()) {
      return {};  // an offset that no file has
    }
    Placed placed{in_file ? *mapping->path : std::string(), {}};
    Gathered& module = modules_[placed.path];
    module.changed = module.changed || (in_file && file->differs(begin, block.code));
    std::uint32_t at = 0;
    const std::vector<Piece> pieces = pieces_of(block.code);
    for (const Piece& piece : pieces) {
      const auto lanes = record.active_lanes.find({number, at});
      const auto code = std::span(block.code).subspan(at, piece.length);
      add_into(module.by_address[begin + at][{code.begin(), code.end()}],
               {executions,
                lanes != record.active_lanes.end() ? std::optional(lanes->second) : std::nullopt,
                piece.repeats && pieces.size() == 1 ? turns_of(record, number) : std::nullopt});
      placed.addresses.push_back(begin + at);
      at += static_cast<std::uint32_t>(piece.length);
    }
    return placed;
  }

  const FileLookup& file_of_;
  std::map<std::string, File> files_;
  std::map<std::string, Gathered> modules_;
};

/// All variants of one address as one, with the bytes of the one that ran most often.
ExecutedInstruction merged(std::uint64_t address, const Variants& variants) {
  ExecutedInstruction made;
  made.address = address;
  Variant sum;
  std::uint64_t most = 0;
  for (const auto& [code, variant] : variants) {
    add_into(sum, variant);
    if (variant.executions > most) {
      most = variant.executions;
      made.length = static_cast<std::uint8_t>(code.size());
      made.code = {};
      std::ranges::copy(code, made.code.begin());
    }
  }
  made.executions = sum.executions;
  if (variants.size() == 1) {
    made.active_lanes = sum.active_lanes;
    made.turns = sum.turns;
  }
  return made;
}

unsigned digit(char hexadecimal) {
  return static_cast<unsigned>(hexadecimal >= 'a' ? hexadecimal - 'a' + 10 : hexadecimal - '0');
}

std::vector<std::byte> bytes_of(const std::string& hexadecimal) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(
        static_cast<std::byte>(digit(hexadecimal[i]) << 4U | digit(hexadecimal[i + 1])));
  }
  return bytes;
}

ExecutedModule module_of(const std::string& path, const Gathered& gathered) {
  ExecutedModule module;
  module.path = path;
  module.changed = gathered.changed;
  for (const auto& [address, variants] : gathered.by_address) {
    module.changed = module.changed || variants.size() > 1;
    module.instructions.push_back(merged(address, variants));
  }
  return module;
}

/// Instructions of blocks, by position in their modules.
struct Positions {
  ExecutedModule* module = nullptr;  ///< nullptr: the block did not run, or lies nowhere
  std::vector<std::size_t> instructions;
};

std::vector<Positions> positions_of(const std::vector<Placed>& places,
                                    std::vector<ExecutedModule>& modules) {
  std::map<std::string, ExecutedModule*> by_path;
  for (ExecutedModule& module : modules) {
    by_path[module.path] = &module;
  }
  std::vector<Positions> positions(places.size());
  for (std::size_t block = 0; block < places.size(); ++block) {
    if (places[block].addresses.empty()) {
      continue;
    }
    positions[block].module = by_path.at(places[block].path);
    for (const std::uint64_t address : places[block].addresses) {
      positions[block].instructions.push_back(*positions[block].module->find(address));
    }
  }
  return positions;
}

void tell_threads_apart(const Record& record, const std::vector<Placed>& places,
                        std::vector<ExecutedModule>& modules) {
  if (!record.by_thread || record.threads.empty()) {
    return;
  }
  const std::uint64_t threads = std::uint64_t{record.threads.rbegin()->first} + 1;
  if (threads > kMostThreads) {
    return;
  }
  for (ExecutedModule& module : modules) {
    if (saturating_multiply(threads, module.instructions.size()) <= kMostThreadCells) {
      module.by_thread.resize(threads);
    }
  }
  const std::vector<Positions> positions = positions_of(places, modules);
  for (const auto& [number, thread] : record.threads) {
    for (const auto& [block, executions] : thread.executions) {
      ExecutedModule* const module = positions[block].module;
      if (module == nullptr || module->by_thread.empty()) {
        continue;
      }
      std::vector<std::uint64_t>& own = module->by_thread[number];
      own.resize(module->instructions.size());
      for (const std::size_t at : positions[block].instructions) {
        own[at] = saturating_add(own[at], executions);
      }
    }
  }
}

}  // namespace

std::vector<ExecutedModule> executed_modules(std::span<const Record> processes,
                                             const FileLookup& file_of) {
  Gatherer gatherer(file_of);
  std::vector<Placed> places;
  for (const Record& record : processes) {
    places = gatherer.add(record);
  }
  std::vector<ExecutedModule> modules;
  for (const auto& [path, gathered] : gatherer.modules()) {
    modules.push_back(module_of(path, gathered));
    modules.back().build_id = bytes_of(gatherer.build_id_of(path));
  }
  if (processes.size() == 1) {
    tell_threads_apart(processes[0], places, modules);
  }
  return modules;
}

}  // namespace ridge::measure::binary
