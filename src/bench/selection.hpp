// What `--only fp64,L1,...` leaves of a plan. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/plan.hpp"
#include "core/result.hpp"

namespace ridge::bench {

/// Parts of a characterisation besides its ceilings.
enum class Part { roof, sustained, siblings, numa };
[[nodiscard]] std::string_view to_string(Part part);

/// "int32" and "int64" at once.
inline constexpr std::string_view kIntegers = "int";

/// Which integers a plan needs for `words` to choose from: whoever asks for integers by name wants
/// those of every instruction set.
[[nodiscard]] IntegerWidths integers_of(const std::vector<std::string>& words);

/// Words of one group are alternatives, words of different groups restrict one another as far as
/// they can apply to the same ceiling: "fp64,fma,L1" is the fp64 fma of every instruction set and
/// everything in L1; "avx512" is all that AVX-512 does. Without words everything is wanted.
class Selection {
 public:
  Selection() = default;

  /// `planned`: everything that could be measured here. Error: `usage`, with the words that there
  /// are.
  [[nodiscard]] static Result<Selection> parse(const std::vector<std::string>& words,
                                               const std::vector<PlannedKernel>& planned);

  [[nodiscard]] bool everything() const { return everything_; }
  [[nodiscard]] bool wants(const PlannedKernel& planned) const;
  /// Asked for by its own word.
  [[nodiscard]] bool names(Part part) const;
  [[nodiscard]] bool wants_level(Level level) const;

 private:
  [[nodiscard]] bool asks_for(CeilingKind kind) const;

  bool everything_ = true;
  std::vector<std::string> kinds_;
  std::vector<std::string> precisions_;
  std::vector<std::string> isas_;
  std::vector<std::string> operations_;
  std::vector<std::string> levels_;
  std::vector<std::string> patterns_;
  std::vector<std::string> parts_;
};

}  // namespace ridge::bench
