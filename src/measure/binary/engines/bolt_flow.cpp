#include "measure/binary/engines/bolt_flow.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "machine_code/decode.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Flow;
using machine_code::Function;
using machine_code::Instruction;

/// Threads that stood within a block when the program was killed: so much may two counts differ.
constexpr std::uint64_t kInFlight = 1024;

bool is_padding(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic) ==
         "nop";
}

bool may_not_return(const Instruction& instruction) {
  return instruction.is_call() || instruction.flow == Flow::system_call;
}

struct Edge {
  std::size_t from = 0;
  std::optional<std::size_t> to;  ///< nullopt: out of the function
  std::optional<std::uint64_t> count;
};

struct Piece {
  std::size_t first = 0;
  std::size_t count = 0;
  std::optional<std::uint64_t> executions;
  bool in_known = true;    ///< all ways into it are edges
  bool out_known = false;  ///< all ways out of it are edges
  std::vector<std::size_t> in;
  std::vector<std::size_t> out;
};

class Flows {
 public:
  Flows(const Function& function, const BoltFunction& counted, const BoltRun& run)
      : function_(function), counted_(counted), run_(run) {}

  FunctionCounts solve() {
    cut();
    add_counted_edges();
    add_other_edges();
    add_calls();
    find_entries();
    while (step()) {
    }
    return result();
  }

 private:
  [[nodiscard]] std::uint64_t begin_of(const Piece& piece) const {
    return function_.instructions[piece.first].address;
  }
  [[nodiscard]] std::uint64_t end_of(const Piece& piece) const {
    return function_.instructions[piece.first + piece.count - 1].next();
  }
  /// The last instruction that is no padding, else the last one.
  [[nodiscard]] const Instruction& last_of(const Piece& piece) const {
    std::size_t last = piece.first + piece.count - 1;
    while (last > piece.first && is_padding(function_.instructions[last])) {
      --last;
    }
    return function_.instructions[last];
  }
  [[nodiscard]] const Instruction* instruction_at(std::uint64_t address) const {
    const auto found = std::lower_bound(
        function_.instructions.begin(), function_.instructions.end(), address,
        [](const Instruction& each, std::uint64_t at) { return each.address < at; });
    return found != function_.instructions.end() && found->address == address ? &*found : nullptr;
  }
  /// That holds the address.
  [[nodiscard]] std::optional<std::size_t> piece_at(std::uint64_t address) const {
    const auto behind = std::upper_bound(
        pieces_.begin(), pieces_.end(), address,
        [this](std::uint64_t at, const Piece& each) { return at < begin_of(each); });
    if (behind == pieces_.begin() || address >= end_of(*(behind - 1))) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(behind - pieces_.begin()) - 1;
  }
  [[nodiscard]] bool is_inside(std::uint64_t address) const {
    return function_.range.contains(address);
  }
  [[nodiscard]] std::optional<std::uint64_t> counter(std::uint32_t index) const {
    return index < run_.counters.size() ? std::optional(run_.counters[index]) : std::nullopt;
  }

  void cut() {
    leaders_.emplace(function_.range.begin, std::nullopt);
    const auto& pads = run_.landing_pads;
    for (auto pad = std::lower_bound(pads.begin(), pads.end(), function_.range.begin);
         pad != pads.end() && *pad < function_.range.end; ++pad) {
      leaders_.emplace(*pad, std::nullopt);
      landing_pads_.insert(*pad);
    }
    for (const BoltEdge& edge : counted_.edges) {
      leaders_[function_.range.begin + edge.to] = edge.to_node;
    }
    std::set<std::uint64_t> begins;
    for (const auto& [address, node] : leaders_) {
      begins.insert(address);
    }
    for (const machine_code::Block& block : function_.blocks) {
      begins.insert(function_.begin_of(block));
    }
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
      if (i == 0 || begins.contains(function_.instructions[i].address) ||
          function_.instructions[i - 1].flow != Flow::next) {
        pieces_.push_back({.first = i});
      }
      ++pieces_.back().count;
    }
  }

  void add_edge(std::size_t from, std::optional<std::size_t> to,
                std::optional<std::uint64_t> count) {
    for (const std::size_t known : pieces_[from].out) {
      if (edges_[known].to == to && to) {
        return;
      }
    }
    pieces_[from].out.push_back(edges_.size());
    if (to) {
      pieces_[*to].in.push_back(edges_.size());
    }
    edges_.push_back({from, to, count});
  }

  /// Whether a call or system call stands in BOLT's block in front of, or at, the instruction.
  [[nodiscard]] bool block_has_calls(std::uint64_t last) const {
    const std::uint64_t begin = std::prev(leaders_.upper_bound(last))->first;
    for (const Instruction* at = instruction_at(begin); at != nullptr && at->address <= last;
         at = instruction_at(at->next())) {
      if (may_not_return(*at)) {
        return true;
      }
    }
    return false;
  }

  void add_counted_edges() {
    for (const BoltEdge& edge : counted_.edges) {
      const std::uint64_t last = function_.range.begin + edge.from;
      const std::uint64_t target = function_.range.begin + edge.to;
      const Instruction* instruction = instruction_at(last);
      const auto from = piece_at(last);
      const auto to = piece_at(target);
      if (instruction == nullptr || !from || !to || begin_of(pieces_[*to]) != target) {
        wrong_ = true;
        return;
      }
      const bool jumps =
          instruction->flow == Flow::jump || instruction->flow == Flow::indirect_jump ||
          (instruction->flow == Flow::conditional_jump && is_inside(instruction->target));
      std::optional<std::uint64_t> count = counter(edge.counter);
      if (!jumps && block_has_calls(last)) {
        count_begin(edge, last, count);
        count = std::nullopt;
      }
      if (landing_pads_.contains(target)) {
        count = std::nullopt;  // it may stand in the block, where exceptions enter
      }
      add_edge(*from, *to, count);
    }
  }

  /// BOLT counts an edge that falls through into an entry where the block begins that it leaves.
  void count_begin(const BoltEdge& edge, std::uint64_t last, std::optional<std::uint64_t> count) {
    const bool into_entry = std::find(counted_.entry_nodes.begin(), counted_.entry_nodes.end(),
                                      edge.to_node) != counted_.entry_nodes.end();
    const auto& [begin, node] = *std::prev(leaders_.upper_bound(last));
    const auto piece = piece_at(begin);
    if (into_entry && piece && node.value_or(edge.from_node) == edge.from_node) {
      pieces_[*piece].executions = count;
    }
  }

  /// How often the jump out of the function ran.
  [[nodiscard]] std::optional<std::uint64_t> count_of_call(std::uint64_t address) const {
    for (const BoltCall& call : counted_.calls) {
      if (function_.range.begin + call.from == address) {
        return counter(call.counter);
      }
    }
    return std::nullopt;
  }

  /// Those of the code that BOLT did not describe, as not known.
  void add_other_edges() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Instruction& last = last_of(pieces_[i]);
      const bool falls =
          last.flow == Flow::next || last.flow == Flow::conditional_jump || may_not_return(last);
      if (falls && i + 1 < pieces_.size()) {
        add_edge(i, i + 1, std::nullopt);
      }
      bool out_known = last.flow == Flow::next && i + 1 < pieces_.size();
      if (last.flow == Flow::jump || last.flow == Flow::conditional_jump) {
        out_known = last.flow == Flow::jump || i + 1 < pieces_.size();
        const auto to = is_inside(last.target) ? piece_at(last.target) : std::nullopt;
        add_edge(i, to, to ? std::nullopt : count_of_call(last.address));
      }
      if (last.flow == Flow::indirect_jump) {
        out_known = !pieces_[i].out.empty();
      }
      pieces_[i].out_known = out_known;
    }
  }

  void add_calls() {
    for (const BoltCall& call : counted_.calls) {
      const std::uint64_t address = function_.range.begin + call.from;
      const Instruction* instruction = instruction_at(address);
      const auto piece = piece_at(address);
      if (instruction != nullptr && instruction->is_call() && piece) {
        pieces_[*piece].executions = counter(call.counter);
      }
    }
  }

  /// Where control comes in ways that no edge shows.
  void find_entries() {
    std::set<std::uint64_t> entries = landing_pads_;
    entries.insert(function_.range.begin);
    const std::set<std::uint32_t> nodes(counted_.entry_nodes.begin(), counted_.entry_nodes.end());
    for (const BoltEdge& edge : counted_.edges) {
      const std::uint64_t address = function_.range.begin + edge.to;
      if (nodes.contains(edge.to_node) && !run_.jumps.contains(address) &&
          !std::binary_search(run_.marks.begin(), run_.marks.end(), address)) {
        entries.insert(address);
      }
    }
    for (Piece& piece : pieces_) {
      const std::uint64_t begin = begin_of(piece);
      const auto block = function_.block_at(begin);
      const bool nothing_leads_here = piece.in.empty() && !run_.jumps.contains(begin) && block &&
                                      function_.blocks[*block].entered_from_elsewhere;
      piece.in_known = !entries.contains(begin) && !nothing_leads_here;
    }
  }

  /// From all but one to that one. Whether something new is known.
  bool balance(std::optional<std::uint64_t>& whole, const std::vector<std::size_t>& parts,
               std::uint64_t more) {
    std::uint64_t sum = more;
    std::optional<std::size_t> open;
    for (const std::size_t part : parts) {
      if (edges_[part].count) {
        sum += *edges_[part].count;
      } else if (open) {
        return false;
      } else {
        open = part;
      }
    }
    if (!open && !whole) {
      whole = sum;
      return true;
    }
    if (open && whole && (*whole >= sum || sum - *whole <= kInFlight)) {
      edges_[*open].count = *whole >= sum ? *whole - sum : 0;
      return true;
    }
    return false;
  }

  bool balance(Piece& piece) {
    std::uint64_t outside = 0;
    bool in_known = piece.in_known;
    if (const auto found = run_.jumps.find(begin_of(piece)); found != run_.jumps.end()) {
      for (const auto& count : found->second) {
        in_known = in_known && count.has_value();
        outside += count.value_or(0);
      }
    }
    const bool by_in = in_known && balance(piece.executions, piece.in, outside);
    const bool by_out = piece.out_known && balance(piece.executions, piece.out, 0);
    return by_in || by_out;
  }

  /// There and back, since counts spread both ways.
  bool step() {
    bool changed = false;
    for (Piece& piece : pieces_) {
      changed = balance(piece) || changed;
    }
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
      changed = balance(*piece) || changed;
    }
    return changed;
  }

  [[nodiscard]] FunctionCounts result() const {
    FunctionCounts counts;
    counts.complete = !wrong_;
    for (const Piece& piece : pieces_) {
      const auto code = std::span(function_.instructions).subspan(piece.first, piece.count);
      if (wrong_ || !piece.executions) {
        counts.complete = counts.complete && std::all_of(code.begin(), code.end(), does_nothing);
      } else if (*piece.executions != 0) {
        counts.blocks.push_back(
            {begin_of(piece), end_of(piece) - begin_of(piece), *piece.executions});
      }
    }
    return counts;
  }

  const Function& function_;
  const BoltFunction& counted_;
  const BoltRun& run_;
  /// Where BOLT's blocks begin, with its numbers for them; nullopt where no edge leads there.
  std::map<std::uint64_t, std::optional<std::uint32_t>> leaders_;
  std::set<std::uint64_t> landing_pads_;
  std::vector<Piece> pieces_;
  std::vector<Edge> edges_;
  bool wrong_ = false;  ///< BOLT's description is not of this code
};

}  // namespace

bool does_nothing(const Instruction& instruction) {
  return is_padding(instruction) || instruction.flow == Flow::return_ ||
         instruction.flow == Flow::jump || instruction.flow == Flow::trap ||
         instruction.flow == Flow::undecodable;
}

FunctionCounts solve_flow(const Function& function, const BoltFunction& counted,
                          const BoltRun& run) {
  return Flows(function, counted, run).solve();
}

}  // namespace ridge::measure::binary
