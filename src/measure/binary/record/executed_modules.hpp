// From what an engine recorded of memory to what ran of files.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "measure/binary/code/executions.hpp"
#include "measure/binary/record/record.hpp"

namespace ridge::measure::binary {

/// The bytes of a file, which stay where they are; empty where it cannot be read.
using FileLookup = std::function<std::span<const std::uint8_t>(const std::string& path)>;

/// Beyond either, threads are not told apart: a table of them by instructions does not fit.
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostThreadCells = std::uint64_t{1} << 26;

/// By path, that of memory without a file first. `processes` ran one behind the other or beside
/// each other; threads are told apart where there is one process and its engine did.
///
/// Addresses are those of the file by its loaded segments; without the file, or where it is no ELF
/// file that is known, they are offsets in it. Code outside all segments of its file stands with
/// that of memory without a file. An instruction that stands in several blocks ran as often as all
/// of them. Where memory held different code at one address in turns, the bytes are those that ran
/// most often, and `changed` is set. So it is where a file's bytes are not those that ran; of files
/// with relocations in their code too, which are hardly made any more.
///
/// Behind what begins no instruction that is known the rest of the block is not known either: up to
/// 15 bytes of it stand for it.
[[nodiscard]] std::vector<ExecutedModule> executed_modules(std::span<const Record> processes,
                                                           const FileLookup& file_of);

}  // namespace ridge::measure::binary
