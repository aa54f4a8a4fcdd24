#include "render/document/spmv/study_entries.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

const SparseFormatFacts* find_format(const SparseStudy& study, std::string_view name) {
  const auto found = std::find_if(study.formats.begin(), study.formats.end(),
                                  [&](const SparseFormatFacts& f) { return f.format == name; });
  return found == study.formats.end() ? nullptr : &*found;
}

std::optional<double> inverse(double balance) {
  return std::isfinite(balance) && balance > 0.0 ? std::optional(1.0 / balance) : std::nullopt;
}

bool several_schedules(const SparseStudy& study) {
  return std::any_of(study.timings.begin(), study.timings.end(), [&](const SparseTiming& timing) {
    return timing.schedule != study.timings.front().schedule;
  });
}

}  // namespace

std::optional<double> csr_intensity(const SparseStudy& study) {
  const SparseFormatFacts* csr = find_format(study, "csr");
  return csr != nullptr ? inverse(csr->least_code_balance) : std::nullopt;
}

std::optional<double> intensity_of(const SparseStudy& study, const SparseTiming& timing) {
  const auto csr = csr_intensity(study);
  const double own = timing.of_own_roof.median.value();
  const double of_csr = timing.of_csr_roof.median.value();
  if (csr && own > 0.0 && of_csr > 0.0) {
    return *csr * of_csr / own;
  }
  const SparseFormatFacts* facts = find_format(study, timing.format);
  return facts != nullptr ? inverse(facts->least_code_balance) : std::nullopt;
}

std::vector<StudyEntry> entries_of(const SparseStudy& study) {
  const bool schedules = several_schedules(study);
  std::vector<StudyEntry> entries;
  for (const SparseTiming& timing : study.timings) {
    const auto same = [&](const StudyEntry& entry) {
      return entry.timings.front()->format == timing.format &&
             entry.timings.front()->schedule == timing.schedule;
    };
    auto entry = std::find_if(entries.begin(), entries.end(), same);
    if (entry == entries.end()) {
      const std::string name =
          schedules ? fmt::format("{}, {}", timing.format, timing.schedule) : timing.format;
      entries.push_back({0, clean(name), false, {}});
      entry = entries.end() - 1;
    }
    entry->timings.push_back(&timing);
  }
  for (const SparseReordering& reordering : study.reorderings) {
    entries.push_back({0,
                       clean(fmt::format("{}: {}", reordering.method, reordering.best.format)),
                       true,
                       {&reordering.best}});
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].number = static_cast<unsigned>(i + 1);
    std::stable_sort(
        entries[i].timings.begin(), entries[i].timings.end(),
        [](const SparseTiming* a, const SparseTiming* b) { return a->threads < b->threads; });
  }
  return entries;
}

std::vector<StudyBandwidth> bandwidths_of(const SparseStudy& study) {
  struct Samples {
    std::vector<double> medians, lows, highs;
  };
  std::map<unsigned, Samples> by_threads;
  const auto add = [&](const SparseTiming& timing) {
    Samples& samples = by_threads[timing.threads];
    samples.medians.push_back(timing.bandwidth.median.value());
    samples.lows.push_back(timing.bandwidth.low.value());
    samples.highs.push_back(timing.bandwidth.high.value());
  };
  std::for_each(study.timings.begin(), study.timings.end(), add);
  for (const SparseReordering& reordering : study.reorderings) {
    add(reordering.best);
  }
  const auto middle = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return quantile(values, 0.5);
  };
  std::vector<StudyBandwidth> bandwidths;
  for (auto& [threads, samples] : by_threads) {
    bandwidths.push_back(
        {threads, middle(samples.medians), middle(samples.lows), middle(samples.highs)});
  }
  return bandwidths;
}

std::string interval_words(const StudyBandwidth& bandwidth) {
  const SiPrefix prefix = si_prefix(bandwidth.median);
  return fmt::format("{} ({} to {})", si(bandwidth.median, "B/s"),
                     number(bandwidth.low / prefix.factor), number(bandwidth.high / prefix.factor));
}

std::string tuning_words(const SparseTiming& timing) {
  return timing.gather + (timing.stream_ahead != 0 ? " +s" : "") +
         (timing.x_ahead != 0 ? " +x" : "") + (timing.streamed_y ? " +y" : "");
}

std::string ratio_words(const std::optional<MedianInterval>& ratio, std::optional<double> otherwise,
                        bool brief) {
  if (!ratio) {
    return otherwise ? fmt::format("{:.2f}x", *otherwise) : std::string(kUnknown);
  }
  if (ratio->low == 1 && ratio->high == 1) {
    return "1.00x";  // what the others are compared with
  }
  const Standing standing = standing_of(*ratio);
  const std::string word = standing == Standing::too_noisy ? "too noisy"
                           : standing == Standing::no_difference
                               ? "no difference"
                               : fmt::format("{:.2f}x", ratio->median);
  return brief ? word : fmt::format("{} ({:.2f} to {:.2f})", word, ratio->low, ratio->high);
}

std::string speedup_words(const SparseTiming& timing, bool brief) {
  return ratio_words(timing.paired_speedup,
                     timing.speedup ? std::optional(timing.speedup->median.value()) : std::nullopt,
                     brief);
}

std::string ratio_legend(const SparseStudy& study) {
  const bool paired =
      std::any_of(study.timings.begin(), study.timings.end(),
                  [](const SparseTiming& timing) { return timing.paired_speedup.has_value(); });
  return paired ? fmt::format(
                      "Speed-ups and gains: the median of the ratios of each round, timed in turn, "
                      "and its {:.0f} % interval. No difference: none beyond the noise, the "
                      "interval includes 1. Too noisy: the machine was too noisy to rank it.",
                      100 * kMedianConfidence)
                : std::string();
}

bool from_cache(const SparseStudy& study) {
  const SparseFormatFacts* csr = find_format(study, "csr");
  return csr != nullptr &&
         (csr->value_bytes_per_entry + csr->index_bytes_per_entry + csr->pointer_bytes_per_entry) *
                 static_cast<double>(study.matrix.entries) <=
             study.last_level_cache.value();
}

}  // namespace ridge::render
