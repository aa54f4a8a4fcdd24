#include "core/value/cache_geometry.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/core.h>

namespace ridge {
namespace {

constexpr unsigned kMostWays = 4096;
constexpr std::uint64_t kKibi = 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostBytesOfL1 = std::uint64_t{1} << 30;
constexpr unsigned kMostSharers = 65536;  // hardware threads
/// A part of the command line in a message: short, and without what would move the cursor.
std::string quoted(std::string_view part) {
  constexpr std::size_t kMost = 40;
  std::string shown = "'";
  for (const char c : part.substr(0, kMost)) {
    const bool printable = c >= ' ' && c <= '~';
    shown += printable ? c : '?';
  }
  return shown + (part.size() > kMost ? "...'" : "'");
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    if (end == text.size()) {
      return parts;
    }
    begin = end + 1;
  }
}

/// A whole number without sign, the whole of the text.
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc{} && end == text.data() + text.size();
  return whole && !text.empty() ? std::optional(value) : std::nullopt;
}

/// With K, M or G behind it; nullopt also above kMostBytes.
std::optional<std::uint64_t> bytes_in(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  std::uint64_t unit = 1;
  if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
    for (std::size_t i = 0; i <= kUnits.find(text.back()); ++i) {
      unit *= kKibi;
    }
    text.remove_suffix(1);
  }
  const auto count = number_in(text);
  return count && *count <= kMostBytes / unit ? std::optional(*count * unit) : std::nullopt;
}

class GeometryParser {
 public:
  GeometryParser(const Machine& machine, std::string_view option)
      : machine_(machine), option_(option) {
    if (!machine.caches.empty()) {
      line_bytes_ = machine.caches.front().line_bytes;
      threads_per_core_ = std::max(1U, machine.caches.front().shared_by_threads);
    }
  }

  Result<void> add(std::string_view part) {
    const std::size_t sign = part.find('=');
    return sign != std::string_view::npos ? begin_level(part, sign) : say(part);
  }

  /// After the last part.
  Result<std::vector<Cache>> finish() {
    for (std::size_t i = 1; i < caches_.size(); ++i) {
      if (caches_[i].shared_by_threads % caches_[i - 1].shared_by_threads != 0) {
        return wrong(fmt::format("{} must be shared by a whole number of {} caches",
                                 to_string(caches_[i].level), to_string(caches_[i - 1].level)));
      }
    }
    return std::move(caches_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& message) const {
    const bool named = option_.find(' ') != std::string_view::npos;
    return fail(ErrorCode::usage, fmt::format("{}: {}", option_, message),
                fmt::format("The form is: {}{}L1=48K/12,L2=1M/16,L3=32M/16,victim", option_,
                            named ? "=" : " "));
  }

  Result<void> begin_level(std::string_view part, std::size_t sign) {
    const auto level = cache_level(caches_.size() + 1);
    if (!level) {
      return wrong(
          fmt::format("there are at most {} levels: {}", kCacheLevels.size(), quoted(part)));
    }
    const std::string_view expected = to_string(*level);
    if (part.substr(0, sign) != expected) {
      return wrong(fmt::format("{} must come where {} stands", expected, quoted(part)));
    }
    const std::string_view figures = part.substr(sign + 1);
    const std::size_t slash = std::min(figures.find('/'), figures.size());
    const auto bytes = bytes_in(figures.substr(0, slash));
    const auto ways =
        number_in(slash < figures.size() ? figures.substr(slash + 1) : std::string_view());
    const std::uint64_t most = caches_.empty() ? kMostBytesOfL1 : kMostBytes;
    if (!bytes || *bytes == 0 || *bytes > most) {
      return wrong(fmt::format("{}: {} is no size of 1 byte to {} GiB (12345, 48K, 1M, 1G)",
                               expected, quoted(figures.substr(0, slash)), most >> 30U));
    }
    if (!ways || *ways == 0 || *ways > kMostWays) {
      return wrong(fmt::format("{}: SIZE/WAYS with 1 to {} ways is needed, not {}", expected,
                               kMostWays, quoted(figures)));
    }
    if (*bytes % (*ways * line_bytes_) != 0) {
      return wrong(fmt::format("{}: {} is no whole number of sets of {} lines of {} byte", expected,
                               quoted(figures.substr(0, slash)), *ways, line_bytes_));
    }
    caches_.push_back({*level, *bytes, static_cast<unsigned>(*ways), line_bytes_,
                       sharers_of(*level), CachePolicy::non_inclusive, WriteAllocate::always});
    return {};
  }

  [[nodiscard]] unsigned sharers_of(Level level) const {
    const auto same = std::find_if(machine_.caches.begin(), machine_.caches.end(),
                                   [&](const Cache& cache) { return cache.level == level; });
    if (same != machine_.caches.end() && same->shared_by_threads != 0) {
      return same->shared_by_threads;
    }
    return caches_.empty() ? threads_per_core_ : caches_.back().shared_by_threads;
  }

  /// A word about the level before it.
  Result<void> say(std::string_view word) {
    constexpr std::string_view kShared = "shared-by-";
    if (caches_.empty()) {
      return wrong(fmt::format("L1=SIZE/WAYS must come first, not {}", quoted(word)));
    }
    Cache& cache = caches_.back();
    const auto policy = parse_cache_policy(word);
    if (policy && *policy != CachePolicy::non_inclusive && caches_.size() == 1) {
      return wrong(fmt::format("L1 cannot be {}: there is no cache above it", quoted(word)));
    }
    if (policy) {
      cache.policy = *policy;
      return {};
    }
    if (word == "no-allocate") {
      cache.write_allocate = WriteAllocate::never;
      return {};
    }
    const bool shared = word.substr(0, kShared.size()) == kShared;
    const auto cores = number_in(shared ? word.substr(kShared.size()) : std::string_view());
    if (!cores || *cores == 0 || *cores > kMostSharers / threads_per_core_) {
      return wrong(fmt::format(
          "{}: {} is none of victim, inclusive, non-inclusive, no-allocate, shared-by-N",
          to_string(cache.level), quoted(word)));
    }
    cache.shared_by_threads = static_cast<unsigned>(*cores) * threads_per_core_;
    return {};
  }

  const Machine& machine_;
  std::string_view option_;
  unsigned line_bytes_ = 64;
  unsigned threads_per_core_ = 1;
  std::vector<Cache> caches_;
};

}  // namespace

Result<std::vector<Cache>> parse_cache_geometry(std::string_view text, const Machine& machine,
                                                std::string_view option) {
  GeometryParser parser(machine, option);
  for (const std::string_view part : split(text)) {
    if (const auto taken = parser.add(part); !taken) {
      return tl::make_unexpected(taken.error());
    }
  }
  return parser.finish();
}

}  // namespace ridge
