#include "measure/binary/code/source_loops.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace ridge::measure::binary {
namespace {

using machine_code::Block;
using machine_code::Function;
using machine_code::Instruction;
using machine_code::Loop;

class Reader {
 public:
  Reader(const Function& function, const FunctionScopes* scopes, const LineTable& lines)
      : function_(function), scopes_(scopes), lines_(lines) {}

  SourceLoop read(std::uint32_t index) const {
    const Loop& loop = function_.loops[index];
    SourceLoop source;
    source.scope = common_scope(loop, index);
    const auto own = own_positions(loop, index, source.scope);
    source.file = most_frequent_file(own);
    if (source.file.empty()) {
      return source;
    }
    for (const std::uint32_t block : loop.blocks) {
      for (const Instruction& instruction : function_.instructions_of(function_.blocks[block])) {
        if (const unsigned line = line_in(source, instruction.address); line != 0) {
          source.lines.push_back(line);
        }
      }
    }
    std::ranges::sort(source.lines);
    source.line = line_of(source, loop, own);
    source.lines.erase(std::ranges::unique(source.lines).begin(), source.lines.end());
    return source;
  }

  /// Loops that OpenMP shares out stand in the line of the directive or in that of the first
  /// statement. The variable of the loop is the first one that is declared behind the directive,
  /// where the outlined body begins; with Clang the body begins in the line of the loop.
  void find_shared_loops(std::vector<SourceLoop>& loops) const {
    const auto begin = lines_.find(function_.range.begin);
    if (scopes_ == nullptr || !scopes_->outlined || !begin) {
      return;
    }
    constexpr unsigned kMostLines = 16;  ///< of one directive
    const auto first = std::ranges::lower_bound(scopes_->declarations, begin->line);
    const bool declared =
        first != scopes_->declarations.end() && *first <= begin->line + kMostLines;
    const unsigned line = declared && is_of_gcc() ? *first : begin->line;
    // Loops of reductions stand in the line of the directive, too.
    bool found = false;
    for (const bool in_directive : {false, true}) {
      for (std::uint32_t i = 0; i < loops.size() && !(in_directive && found); ++i) {
        const bool fits = function_.loops[i].depth == 1 && loops[i].scope == 0 &&
                          loops[i].line != 0 && loops[i].line <= line + 2 &&
                          loops[i].line + kMostLines >= line &&
                          (loops[i].line <= begin->line) == in_directive;
        loops[i].line = fits ? line : loops[i].line;
        found = found || fits;
      }
    }
  }

  /// Vector bodies without a remainder often show one line alone, that of what they repeat. Then
  /// the loop's is the one just above where is asked whether to enter it, unless that one belongs
  /// to another loop. 0: there is none.
  [[nodiscard]] unsigned guard_line(const std::vector<SourceLoop>& loops,
                                    std::uint32_t index) const {
    constexpr unsigned kNear = 3;
    const SourceLoop& loop = loops[index];
    unsigned guard = 0;
    const bool is_body = loop.lines.size() == 1 && loop.line == loop.lines.front();
    for (std::size_t i = 0; i < function_.blocks.size() && is_body; ++i) {
      const Block& block = function_.blocks[i];
      const Instruction& last = function_.instructions[block.first + block.count - 1];
      if (block.loop == function_.loops[index].parent &&
          last.flow == machine_code::Flow::conditional_jump) {
        const unsigned line = line_in(loop, last.address);
        const bool near = line < loop.line && line + kNear >= loop.line && line != first_line();
        guard = near ? std::max(guard, line) : guard;
      }
    }
    for (std::uint32_t i = 0; i < loops.size(); ++i) {
      const auto& lines = loops[i].lines;
      const bool is_beside = function_.loops[i].parent == function_.loops[index].parent &&
                             std::ranges::binary_search(lines, guard) &&
                             !std::ranges::binary_search(lines, loop.line);
      if (loops[i].line == guard || is_beside) {
        return 0;
      }
    }
    return guard;
  }

  /// The smallest loop that the block is a copy of a part of. Its lines are all the loop's, and not
  /// only the first one, in which is also asked whether to enter.
  [[nodiscard]] std::optional<std::uint32_t> copied_from(
      const Block& block, const std::vector<SourceLoop>& loops) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < loops.size(); ++i) {
      if (is_around(block.loop, i) && has_lines_of(block, loops[i]) &&
          (!best || loops[i].lines.size() < loops[*best].lines.size())) {
        best = i;
      }
    }
    return best;
  }

 private:
  /// `outer` holds the loop; nullopt: the function.
  [[nodiscard]] bool is_around(std::optional<std::uint32_t> outer, std::uint32_t loop) const {
    auto parent = function_.loops[loop].parent;
    while (parent && parent != outer) {
      parent = function_.loops[*parent].parent;
    }
    return parent == outer;
  }

  [[nodiscard]] bool has_lines_of(const Block& block, const SourceLoop& loop) const {
    bool beyond_first = false;
    for (const Instruction& instruction : function_.instructions_of(block)) {
      if (!lines_.find(instruction.address)) {
        continue;
      }
      const unsigned line = line_in(loop, instruction.address);
      if (line == 0 || !std::ranges::binary_search(loop.lines, line)) {
        return false;
      }
      beyond_first = beyond_first || line > loop.line;
    }
    return beyond_first;
  }

  [[nodiscard]] bool is_of_gcc() const {
    return function_.name.find("._omp_fn") != std::string::npos;
  }

  /// In which the function is declared; 0: unknown.
  [[nodiscard]] unsigned first_line() const {
    return scopes_ != nullptr ? scopes_->line.value_or(0) : 0;
  }

  [[nodiscard]] bool is_own(std::uint32_t block, std::uint32_t loop) const {
    return function_.blocks[block].loop == loop;
  }

  [[nodiscard]] std::uint32_t scope_at(std::uint64_t address) const {
    return scopes_ != nullptr ? scopes_->scope_at(address) : 0;
  }

  [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    const auto& scopes = scopes_->scopes;
    while (a != b) {
      std::uint32_t& deeper = scopes[a].depth >= scopes[b].depth ? a : b;
      deeper = scopes[deeper].parent;
    }
    return a;
  }

  /// Copies between registers are of no place in the source: compilers leave them that of whatever
  /// stood before.
  static bool is_copy(const Instruction& instruction) {
    return instruction.moves && instruction.memory_count == 0;
  }

  /// The innermost one that all its own code is in.
  [[nodiscard]] std::uint32_t common_scope(const Loop& loop, std::uint32_t index) const {
    if (scopes_ == nullptr) {
      return 0;
    }
    std::optional<std::uint32_t> scope;
    for (const std::uint32_t block : loop.blocks) {
      if (!is_own(block, index)) {
        continue;
      }
      for (const Instruction& instruction : function_.instructions_of(function_.blocks[block])) {
        if (!is_copy(instruction) && lines_.find(instruction.address)) {
          const std::uint32_t here = scope_at(instruction.address);
          scope = scope ? common(*scope, here) : here;
        }
      }
    }
    return scope.value_or(0);
  }

  /// As `scope` has it: code that was inlined into it is where it is called.
  [[nodiscard]] std::optional<SourcePosition> position_in(std::uint32_t scope,
                                                          std::uint64_t address) const {
    std::uint32_t here = scope_at(address);
    if (here == scope) {
      return lines_.find(address);
    }
    const auto& scopes = scopes_->scopes;
    if (scopes[here].depth <= scopes[scope].depth) {
      return std::nullopt;
    }
    while (scopes[here].depth > scopes[scope].depth + 1) {
      here = scopes[here].parent;
    }
    const Scope& called = scopes[here];
    return called.parent == scope && here != 0 && called.call_line != 0
               ? std::optional(SourcePosition{called.call_file, called.call_line})
               : std::nullopt;
  }

  [[nodiscard]] unsigned line_in(const SourceLoop& source, std::uint64_t address) const {
    const auto position = position_in(source.scope, address);
    return position && position->file == source.file ? position->line : 0;
  }

  [[nodiscard]] std::vector<SourcePosition> own_positions(const Loop& loop, std::uint32_t index,
                                                          std::uint32_t scope) const {
    std::vector<SourcePosition> positions;
    for (const std::uint32_t block : loop.blocks) {
      if (!is_own(block, index)) {
        continue;
      }
      for (const Instruction& instruction : function_.instructions_of(function_.blocks[block])) {
        if (const auto position = position_in(scope, instruction.address)) {
          positions.push_back(*position);
        }
      }
    }
    return positions;
  }

  static std::string_view most_frequent_file(const std::vector<SourcePosition>& positions) {
    std::map<std::string_view, std::size_t> counts;
    for (const SourcePosition& position : positions) {
      ++counts[position.file];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? std::string_view{} : most->first;
  }

  /// Where it is decided whether there is another iteration: `for` and `while` stand there.
  [[nodiscard]] unsigned control_line(const SourceLoop& source, const Loop& loop) const {
    unsigned least = 0;
    for (const std::uint32_t latch : loop.latches) {
      const Block& block = function_.blocks[latch];
      const unsigned line =
          line_in(source, function_.instructions[block.first + block.count - 1].address);
      least = line != 0 && (least == 0 || line < least) ? line : least;
    }
    return least;
  }

  /// The first line of its own code. Code that was moved here from above the loop is of lines
  /// before the loop's own, but little; of a loop that ends with its condition (`do`, `repeat`)
  /// most code is of lines before.
  [[nodiscard]] unsigned line_of(const SourceLoop& source, const Loop& loop,
                                 const std::vector<SourcePosition>& own) const {
    constexpr std::size_t kStray = 4;  ///< at most one of so many is
    // What has no line of its own may carry that of the function.
    const bool is_body = source.scope == 0 && source.lines.back() != first_line() &&
                         (scopes_ == nullptr || !scopes_->outlined);
    unsigned first = 0;
    std::size_t before = 0;
    std::size_t after = 0;
    unsigned control = control_line(source, loop);
    control = is_body && control == first_line() ? 0 : control;
    for (const SourcePosition& position : own) {
      if (position.file == source.file && !(is_body && position.line == first_line())) {
        first = first == 0 ? position.line : std::min(first, position.line);
        ++(position.line < control ? before : after);
      }
    }
    return control > first && before * kStray <= after ? control : first;
  }

  const Function& function_;
  const FunctionScopes* scopes_;
  const LineTable& lines_;
};

}  // namespace

std::vector<SourceLoop> source_loops(const Function& function, const FunctionScopes* scopes,
                                     const LineTable& lines) {
  const Reader reader(function, scopes, lines);
  std::vector<SourceLoop> loops;
  for (std::uint32_t i = 0; i < function.loops.size(); ++i) {
    loops.push_back(reader.read(i));
  }
  reader.find_shared_loops(loops);
  std::vector<unsigned> guards;
  for (std::uint32_t i = 0; i < function.loops.size(); ++i) {
    guards.push_back(reader.guard_line(loops, i));
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].line = guards[i] != 0 ? guards[i] : loops[i].line;
  }
  return loops;
}

std::vector<std::optional<std::uint32_t>> loops_of_blocks(const Function& function,
                                                          const FunctionScopes* scopes,
                                                          const LineTable& lines,
                                                          const std::vector<SourceLoop>& loops) {
  constexpr std::size_t kMost = 50'000'000;  ///< comparisons: huge functions keep what repeats
  const Reader reader(function, scopes, lines);
  std::vector<std::optional<std::uint32_t>> owners;
  for (const Block& block : function.blocks) {
    owners.push_back(block.loop);
    if (function.instructions.size() * loops.size() <= kMost) {
      const auto copied = reader.copied_from(block, loops);
      owners.back() = copied ? copied : block.loop;
    }
  }
  return owners;
}

void join_versions(std::vector<SourceLoop*>& siblings) {
  std::ranges::stable_sort(siblings, {}, &SourceLoop::line);
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    SourceLoop& loop = *siblings[i];
    for (std::size_t j = 0; j < i && loop.line != 0; ++j) {
      const SourceLoop& other = *siblings[j];
      if (other.line != 0 && other.file == loop.file &&
          std::ranges::binary_search(other.lines, loop.line)) {
        loop.line = other.line;
        break;
      }
    }
  }
}

}  // namespace ridge::measure::binary
