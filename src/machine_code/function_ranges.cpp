#include "machine_code/function_ranges.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace ridge::machine_code {
namespace {

struct Candidate {
  FunctionRange range;  ///< end == begin: not known
  bool global = false;
};

std::vector<Candidate> candidates(const ElfImage& image, const std::vector<AddressRange>& code,
                                  const std::vector<FunctionRange>& unwound) {
  std::vector<Candidate> all;
  for (const FunctionRange& range : unwound) {
    all.push_back({range, false});
  }
  for (const FunctionSymbol& symbol : image.function_symbols()) {
    if (const AddressRange* part = find_range(code, symbol.address)) {
      const std::uint64_t size = std::min(symbol.size, part->end - symbol.address);
      all.push_back(
          {{symbol.address, symbol.address + size, symbol.name, FunctionOrigin::symbol, 0},
           symbol.global});
    }
  }
  if (const auto entry = image.entry_point(); entry && find_range(code, *entry) != nullptr) {
    all.push_back({{*entry, *entry, {}, FunctionOrigin::entry_point, 0}, false});
  }
  // At one address: sizes that are known first, then global names.
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.range.begin != b.range.begin) {
      return a.range.begin < b.range.begin;
    }
    return a.range.end != b.range.end ? a.range.end > b.range.end : a.global > b.global;
  });
  return all;
}

class Merger {
 public:
  explicit Merger(const std::vector<AddressRange>& code) : code_(code) {}

  void add(const Candidate& next) {
    const bool starts_here = !merged_.empty() && merged_.back().begin == next.range.begin;
    const bool inside = !merged_.empty() && next.range.begin < merged_.back().end;
    if (starts_here) {
      join(next);
    } else if (inside && !is_cut_by(next)) {
      merged_.back().end = std::max(merged_.back().end, next.range.end);
    } else {
      if (inside || (!merged_.empty() && open_)) {
        merged_.back().end = std::min(end_of_code(), next.range.begin);
      }
      begin(next);
    }
  }

  std::vector<FunctionRange> finish() {
    if (!merged_.empty() && open_) {
      merged_.back().end = end_of_code();
    }
    return std::move(merged_);
  }

 private:
  void begin(const Candidate& next) {
    merged_.push_back(next.range);
    open_ = next.range.end == next.range.begin;
    unwound_ = next.range.origin == FunctionOrigin::unwind_table;
    global_ = next.global;
  }

  void join(const Candidate& next) {
    FunctionRange& last = merged_.back();
    unwound_ = unwound_ || next.range.origin == FunctionOrigin::unwind_table;
    open_ = open_ && next.range.end == next.range.begin;
    last.end = std::max(last.end, next.range.end);
    last.landing_pads = std::max(last.landing_pads, next.range.landing_pads);
    if (last.name.empty() || (next.global && !global_)) {
      last.name = next.range.name.empty() ? last.name : next.range.name;
      global_ = next.global;
    }
    last.origin = std::min(last.origin, next.range.origin);
  }

  /// A symbol that claims more than its own: what a frame description begins behind it is a
  /// function.
  [[nodiscard]] bool is_cut_by(const Candidate& next) const {
    return !unwound_ && next.range.origin == FunctionOrigin::unwind_table;
  }

  [[nodiscard]] std::uint64_t end_of_code() const {
    return find_range(code_, merged_.back().begin)->end;
  }

  const std::vector<AddressRange>& code_;
  std::vector<FunctionRange> merged_;
  bool open_ = false;     ///< the end of the last one is not known yet
  bool unwound_ = false;  ///< it has a frame description
  bool global_ = false;   ///< its name is
};

}  // namespace

Result<std::vector<FunctionRange>> function_ranges(const ElfImage& image) {
  return unwind_ranges(image).map([&](const std::vector<FunctionRange>& unwound) {
    const auto code = image.executable_ranges();
    Merger merger(code);
    for (const Candidate& next : candidates(image, code, unwound)) {
      merger.add(next);
    }
    return merger.finish();
  });
}

const FunctionRange* find_range(const std::vector<FunctionRange>& ranges, std::uint64_t address) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](std::uint64_t at, const FunctionRange& r) { return at < r.begin; });
  const bool found = behind != ranges.begin() && address < std::prev(behind)->end;
  return found ? &*std::prev(behind) : nullptr;
}

}  // namespace ridge::machine_code
