#include "machine_code/blocks.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace ridge::machine_code {
namespace {

using Position = std::uint32_t;

/// The position of the instruction that begins at `address`; nullopt inside of one and beyond.
std::optional<Position> position_of(const std::vector<Instruction>& instructions,
                                    std::uint64_t address) {
  const auto found =
      std::lower_bound(instructions.begin(), instructions.end(), address,
                       [](const Instruction& i, std::uint64_t at) { return i.address < at; });
  return found != instructions.end() && found->address == address
             ? std::optional(static_cast<Position>(found - instructions.begin()))
             : std::nullopt;
}

class BlockBuilder {
 public:
  BlockBuilder(Function& function, const Surroundings& around)
      : function_(function), code_(function.instructions), around_(around) {}

  void build() {
    find_leaders();
    cut();
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      connect(i);
    }
    add_predecessors();
    mark_entries();
  }

 private:
  [[nodiscard]] bool comes_back(const Instruction& call) const {
    return !around_.returns || around_.returns(call);
  }

  /// Whether control does not simply go on to what lies behind.
  [[nodiscard]] bool ends_block(const Instruction& at) const {
    switch (at.flow) {
      case Flow::next:
      case Flow::system_call:
        return false;
      case Flow::call:
      case Flow::indirect_call:
        return !comes_back(at);
      default:
        return true;
    }
  }

  void lead(std::uint64_t address) {
    if (const auto position = position_of(code_, address)) {
      leads_[*position] = true;
    }
  }

  void find_leaders() {
    leads_.assign(code_.size() + 1, false);
    leads_[0] = true;
    for (Position i = 0; i < code_.size(); ++i) {
      const Instruction& at = code_[i];
      const bool jumps = at.flow == Flow::jump || at.flow == Flow::conditional_jump;
      if (jumps && at.has_target) {
        lead(at.target);
      }
      if (at.flow == Flow::indirect_jump && around_.jump_targets) {
        tables_[i] = around_.jump_targets(code_, i);
        std::for_each(tables_[i].begin(), tables_[i].end(), [&](auto target) { lead(target); });
      }
      leads_[i + 1] = leads_[i + 1] || ends_block(at);
    }
    for (const std::uint64_t pad : around_.landing_pads) {
      lead(pad);
    }
  }

  void cut() {
    block_of_.resize(code_.size());
    for (Position i = 0; i < code_.size(); ++i) {
      if (leads_[i]) {
        function_.blocks.emplace_back().first = i;
      }
      Block& block = function_.blocks.back();
      ++block.count;
      block.calls = block.calls || code_[i].is_call();
      block_of_[i] = static_cast<std::uint32_t>(function_.blocks.size() - 1);
      function_.undecodable_bytes += code_[i].flow == Flow::undecodable ? 1 : 0;
    }
  }

  void go_to(Block& block, std::optional<Position> position) {
    if (position) {
      block.successors.push_back(block_of_[*position]);
    } else {
      block.leaves = true;
    }
  }

  [[nodiscard]] std::optional<Position> behind(const Block& block) const {
    const Position next = block.first + block.count;
    return next < code_.size() ? std::optional(next) : std::nullopt;
  }

  void connect(std::uint32_t index) {
    Block& block = function_.blocks[index];
    const Position last = block.first + block.count - 1;
    const Instruction& at = code_[last];
    switch (at.flow) {
      case Flow::jump:
        go_to(block, position_of(code_, at.target));
        block.end = block.leaves ? BlockEnd::tail_jump : BlockEnd::jump;
        break;
      case Flow::conditional_jump:
        go_to(block, at.has_target ? position_of(code_, at.target) : std::nullopt);
        go_to(block, behind(block));
        block.end = BlockEnd::conditional_jump;
        break;
      case Flow::indirect_jump:
        connect_table(block, last);
        break;
      case Flow::return_:
        block.end = BlockEnd::return_;
        block.leaves = true;
        break;
      case Flow::trap:
        block.end = BlockEnd::trap;
        block.leaves = true;
        break;
      case Flow::undecodable:
        block.end = BlockEnd::gap;
        block.leaves = true;
        break;
      default:
        connect_plain(block, at);
    }
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }

  void connect_plain(Block& block, const Instruction& last) {
    const bool stops = last.is_call() && !comes_back(last);
    if (!stops && behind(block)) {
      go_to(block, behind(block));
      return;
    }
    block.leaves = true;
    block.end = last.is_call() ? BlockEnd::call_without_return : BlockEnd::gap;
  }

  /// Through one pointer of its own it goes to another file (a stub): no switch does that.
  void connect_table(Block& block, Position jump) {
    const auto& targets = tables_[jump];
    const auto& memory = code_[jump].memory_slots[0];
    if (code_[jump].memory_count == 1 && memory.rip_relative && memory.index.is_none()) {
      block.end = BlockEnd::tail_jump;
      block.leaves = true;
      return;
    }
    block.end = targets.empty() ? BlockEnd::unknown_jump : BlockEnd::jump_table;
    block.leaves = targets.empty();
    function_.has_unknown_jumps = function_.has_unknown_jumps || targets.empty();
    for (const std::uint64_t target : targets) {
      go_to(block, position_of(code_, target));
    }
  }

  void add_predecessors() {
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      for (const std::uint32_t successor : function_.blocks[i].successors) {
        function_.blocks[successor].predecessors.push_back(i);
      }
    }
  }

  void mark_entries() {
    function_.blocks.front().entered_from_elsewhere = true;
    for (const std::uint64_t pad : around_.landing_pads) {
      if (const auto position = position_of(code_, pad)) {
        Block& block = function_.blocks[block_of_[*position]];
        block.landing_pad = block.entered_from_elsewhere = true;
      }
    }
    mark_reached_from_entries();
    // Cycles that nothing known leads to are entered at their lowest address.
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      if (!reached_[i] && !is_padding(function_.blocks[i])) {
        function_.blocks[i].entered_from_elsewhere = true;
        reach(i);
      }
    }
  }

  /// What fills the way up to an aligned loop behind a jump. Where targets of jumps are not known,
  /// it may be one.
  [[nodiscard]] bool is_padding(const Block& block) const {
    const auto instructions = function_.instructions_of(block);
    return !function_.has_unknown_jumps && block.predecessors.empty() &&
           std::all_of(instructions.begin(), instructions.end(), [](const Instruction& at) {
             return at.flow == Flow::next && at.memory_count == 0 && at.operation_count == 0 &&
                    at.writes.empty();
           });
  }

  void mark_reached_from_entries() {
    reached_.assign(function_.blocks.size(), false);
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      const Block& block = function_.blocks[i];
      const bool unknown = block.predecessors.empty() && !is_padding(block);
      if (block.entered_from_elsewhere || unknown) {
        function_.blocks[i].entered_from_elsewhere = true;
        reach(i);
      }
    }
  }

  void reach(std::uint32_t from) {
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (!reached_[block]) {
        reached_[block] = true;
        const auto& next = function_.blocks[block].successors;
        open.insert(open.end(), next.begin(), next.end());
      }
    }
  }

  Function& function_;
  const std::vector<Instruction>& code_;
  const Surroundings& around_;
  std::vector<bool> leads_;
  std::vector<std::uint32_t> block_of_;
  std::map<Position, std::vector<std::uint64_t>> tables_;
  std::vector<bool> reached_;
};

}  // namespace

void add_blocks(Function& function, const Surroundings& surroundings) {
  if (!function.instructions.empty()) {
    BlockBuilder(function, surroundings).build();
  }
}

}  // namespace ridge::machine_code
