#include "measure/binary/profile/sampled_code.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace ridge::measure::binary {
namespace {

/// Nobody looked for longer than this between two samples of a thread: what it did in between is
/// not known.
constexpr std::uint64_t kLongest = 250'000'000;  // ns

std::uint32_t saturated(std::uint64_t nanoseconds) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(nanoseconds, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

std::string_view file_now(std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  return path.ends_with(kDeleted) ? path.substr(0, path.size() - kDeleted.size()) : path;
}

SampleCollector::SampleCollector(std::uint64_t begin_nanoseconds, std::size_t most)
    : begin_(begin_nanoseconds), most_(std::max<std::size_t>(most, 2)) {}

std::uint32_t SampleCollector::file_of(const std::string& path) {
  const auto [found, is_new] = files_.emplace(path, static_cast<std::uint32_t>(code_.files.size()));
  if (is_new) {
    code_.files.push_back(path);
  }
  return found->second;
}

std::uint32_t SampleCollector::place_of(const platform::AddressSample& sample,
                                        std::span<const platform::CodeMapping> mappings) {
  SampledPlace place{0, sample.address};
  const platform::CodeMapping* mapping =
      sample.mapping < mappings.size() ? &mappings[sample.mapping] : nullptr;
  const bool has_file = mapping != nullptr && !mapping->path.empty();
  place.file = file_of(std::string(has_file ? file_now(mapping->path) : ""));
  if (has_file) {
    place.offset = sample.address - mapping->begin + mapping->file_offset;
  }
  const auto [found, is_new] =
      places_.emplace(place, static_cast<std::uint32_t>(code_.places.size()));
  if (is_new) {
    code_.places.push_back(place);
  }
  return found->second;
}

std::uint32_t SampleCollector::thread_of(const platform::AddressSample& sample) {
  const auto [found, is_new] = threads_.emplace(std::pair(sample.pid, sample.tid),
                                                static_cast<std::uint32_t>(code_.threads.size()));
  if (is_new) {
    const auto [process, is_new_process] =
        processes_.emplace(sample.pid, static_cast<std::uint32_t>(code_.processes.size()));
    if (is_new_process) {
      code_.processes.push_back(sample.pid);
    }
    code_.threads.push_back({sample.pid, sample.tid, process->second, std::nullopt});
    // A thread began before its first sample, but nobody knows when; the first one with the
    // program.
    const std::uint64_t weight = std::min(sample.weight_nanoseconds, sample.nanoseconds);
    last_.push_back(code_.threads.size() == 1 ? begin_
                                              : std::max(begin_, sample.nanoseconds - weight));
  }
  return found->second;
}

void SampleCollector::add(std::span<const platform::AddressSample> samples,
                          std::span<const platform::CodeMapping> mappings) {
  for (const platform::AddressSample& sample : samples) {
    const std::uint32_t thread = thread_of(sample);
    std::uint64_t& last = last_[thread];
    const std::uint64_t end = std::max(sample.nanoseconds, last);
    const std::uint64_t known = sample.asleep ? sample.weight_nanoseconds : kLongest;
    const std::uint64_t begin = std::max(last, end - std::min(end, known));
    code_.moments.push_back({begin, end, sample.asleep ? 0U : saturated(sample.weight_nanoseconds),
                             place_of(sample, mappings), thread, sample.asleep, sample.in_kernel});
    last = end;
  }
  if (code_.moments.size() > most_) {
    thin_out();
  }
}

void SampleCollector::thin_out() {
  std::vector<std::optional<SampledMoment>> waiting(code_.threads.size());
  std::vector<SampledMoment> kept;
  kept.reserve(code_.moments.size() / 2 + waiting.size());
  for (const SampledMoment& moment : code_.moments) {
    auto& first = waiting[moment.thread];
    if (first && first->asleep == moment.asleep) {
      SampledMoment both = moment;
      both.begin = first->begin;
      both.weight = saturated(std::uint64_t{first->weight} + moment.weight);
      kept.push_back(both);
      first.reset();
    } else {
      if (first) {
        kept.push_back(*first);
      }
      first = moment;
    }
  }
  for (const auto& left : waiting) {
    if (left) {
      kept.push_back(*left);
    }
  }
  code_.moments = std::move(kept);
}

}  // namespace ridge::measure::binary
