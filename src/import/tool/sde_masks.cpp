// Intel SDE's dynamic mask profile (`sde -dyn_mask_profile`): for each AVX-512 instruction how
// often it ran, and how many elements its mask let through. It stands beside a mix, whose counts it
// completes (masks.hpp).
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/readers.hpp"
#include "import/tool/sde_arithmetic.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint = "sde -mix -iform -dyn_mask_profile -- PROGRAM";
constexpr std::string_view kInstruction = "<instruction-details>";
constexpr std::string_view kInstructionEnd = "</instruction-details>";
constexpr std::string_view kThread = "<thread-number>";

/// What stands behind `tag` in the line, up to the tag that ends it; nullopt without the tag.
std::optional<std::string_view> behind(std::string_view line, std::string_view tag) {
  const std::size_t at = line.find(tag);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = line.substr(at + tag.size());
  return trimmed(rest.substr(0, rest.find("</")));
}

std::string upper(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return copy;
}

/// "{K1}": k0 is no mask.
bool has_mask(std::string_view operands) {
  const std::size_t at = operands.find("{K");
  return at != std::string_view::npos && at + 2 < operands.size() && operands[at + 2] >= '1' &&
         operands[at + 2] <= '7';
}

/// One <instruction-details>.
struct Details {
  std::string text;  ///< disassembly, upper case
  std::optional<std::uint64_t> executed;
  std::optional<std::uint64_t> elements;
};

class MaskFile {
 public:
  explicit MaskFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    while (lines_.next()) {
      if (const auto reason = read_line(lines_.line())) {
        return refuse(source_.file, lines_.number(), *reason, kHint);
      }
    }
    if (details_) {
      return refuse(source_.file, lines_.number(), "ends within the details of an instruction",
                    kHint);
    }
    return finish();
  }

 private:
  std::optional<std::string> read_line(std::string_view line) {
    if (line.find(kInstructionEnd) != std::string_view::npos) {
      return details_ ? add_instruction() : "ends an instruction that has no beginning";
    }
    if (line.find(kInstruction) != std::string_view::npos) {
      if (details_) {
        return "begins an instruction within another";
      }
      details_ = Details{};
      return std::nullopt;
    }
    threads_ += behind(line, kThread) ? 1 : 0;
    return details_ ? read_details(line) : std::nullopt;
  }

  std::optional<std::string> read_details(std::string_view line) {
    if (const auto text = behind(line, "<disassembly>")) {
      details_->text = upper(*text);
      return std::nullopt;
    }
    for (const auto& [tag, count] : {std::pair("<execution-counts>", &Details::executed),
                                     std::pair("<computation-count>", &Details::elements)}) {
      const auto text = behind(line, tag);
      if (!text) {
        continue;
      }
      const auto value = parse_whole(text->substr(0, text->find_first_of(" \t")));
      if (!value || *value > kMostCount) {
        return fmt::format("{} has no count: {}", tag, quoted(*text));
      }
      (*details_).*count = *value;
    }
    return std::nullopt;
  }

  std::optional<std::string> add_instruction() {
    const Details details = *std::move(details_);
    details_.reset();
    const std::size_t blank = std::min(details.text.find_first_of(" \t"), details.text.size());
    const std::string opcode = details.text.substr(0, blank);
    const std::string operands = details.text.substr(blank);
    const auto arithmetic = sde_arithmetic(opcode, operands);
    if (!arithmetic || !arithmetic->width_bits) {
      return std::nullopt;
    }
    if (!details.executed || !details.elements) {
      return "ends an instruction without its counts of executions and computations";
    }
    const unsigned width = *arithmetic->width_bits;
    const std::uint64_t lanes =
        *details.executed * (width / element_bits(arithmetic->type->precision));
    if (*details.elements > lanes) {
      return fmt::format("{} computes more elements than it has lanes", quoted(opcode));
    }
    if (has_mask(operands)) {
      masked_.operations += *details.executed;
      masked_.lanes += lanes;
      masked_.active_lanes += *details.elements;
      idle_.add(arithmetic->type->precision, arithmetic->kind, width,
                (lanes - *details.elements) * arithmetic->flops);
    }
    has_arithmetic_ = true;
    return std::nullopt;
  }

  Result<Imported> finish() {
    if (!has_arithmetic_) {
      return refuse(source_.file, 0, "has no floating-point instruction of AVX-512", kHint);
    }
    Imported imported;
    Region program;
    program.kind = RegionKind::program;
    program.name = "program";
    program.entries = 1;
    program.threads = std::max(threads_, 1U);
    program.masked = masked_;
    imported.regions.push_back(std::move(program));
    imported.idle_flops = std::move(idle_.terms);
    return imported;
  }

  /// Sums of so many instructions fit into 64 bit whatever their width.
  static constexpr std::uint64_t kMostCount = 1ULL << 50U;

  Source source_;
  Lines lines_;
  std::optional<Details> details_;
  MaskedOperations masked_;
  Work idle_;
  unsigned threads_ = 0;
  bool has_arithmetic_ = false;
};

}  // namespace

bool sniff_sde_masks(std::string_view beginning) {
  return beginning.find(kInstruction) != std::string_view::npos ||
         (beginning.find("<summarytable>") != std::string_view::npos &&
          beginning.find(kThread) != std::string_view::npos);
}

Result<Imported> read_sde_masks(const Source& source) {
  return MaskFile(source).read();
}

}  // namespace ridge::imports
