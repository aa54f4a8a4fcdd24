#include "platform/perf_sampler.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "platform/task_files.hpp"

namespace ridge::platform {
namespace {

/// A thread moves from CPU to CPU, and the buffers are read one after another: what is newer than
/// this may have older records behind it in a buffer that was read before.
constexpr std::uint64_t kSettles = 2'000'000;
/// An address that is in no mapping, though they have just been read, is in none for a while.
constexpr std::uint64_t kBetweenLooks = 100'000'000;

/// Most of what lies on a stack is none, and lookups are many.
bool may_be_code(std::uint64_t word) {
  constexpr std::uint64_t kFirst = 0x10000;
  constexpr std::uint64_t kBehindLast = std::uint64_t{1} << 47U;
  return word >= kFirst && word < kBehindLast;
}

}  // namespace

PerfSampler::PerfSampler(PerfEvents events, std::chrono::nanoseconds interval,
                         const std::vector<pid_t>& running)
    : events_(std::move(events)), interval_(interval) {
  for (const pid_t pid : running) {
    threads_[pid] = static_cast<unsigned>(std::max<std::size_t>(1, threads_of(pid).size()));
    look_at_maps(pid);
  }
}

void PerfSampler::look_at_maps(pid_t pid) {
  looked_at_[pid] = monotonic_nanoseconds();
  if (const auto maps = read_memory_maps(pid)) {
    spaces_.replace(pid, *maps);
  }
}

AddressSample PerfSampler::located(AddressSample sample) {
  if (doubtful_.erase(sample.pid) != 0) {
    look_at_maps(sample.pid);
  }
  sample.mapping = spaces_.find(sample.pid, sample.address);
  if (sample.mapping == kNoMapping && sample.address != 0) {
    const auto last = looked_at_.find(sample.pid);
    if (last == looked_at_.end() || monotonic_nanoseconds() > last->second + kBetweenLooks) {
      look_at_maps(sample.pid);
      sample.mapping = spaces_.find(sample.pid, sample.address);
    }
  }
  return sample;
}

StackSample PerfSampler::located_stack(PerfRecord record) {
  StackSample stack{record.pid, record.tid, record.registers, std::move(record.words), {}};
  std::vector<std::uint64_t> candidates{stack.registers.back()};
  std::ranges::copy_if(stack.words, std::back_inserter(candidates), may_be_code);
  std::ranges::sort(candidates);
  const auto same = std::ranges::unique(candidates);
  candidates.erase(same.begin(), same.end());
  for (const std::uint64_t address : candidates) {
    const std::uint32_t mapping = spaces_.find(stack.pid, address);
    if (mapping != kNoMapping) {
      stack.code.push_back({address, mapping});
    }
  }
  return stack;
}

void PerfSampler::begin(const PerfRecord& record) {
  if (record.pid == record.parent) {
    ++threads_[record.pid];
    return;
  }
  threads_[record.pid] = 1;
  looked_at_.erase(record.pid);
  spaces_.fork(record.parent, record.pid);
}

void PerfSampler::end(const PerfRecord& record) {
  const auto found = threads_.find(record.pid);
  if (found == threads_.end() || --found->second > 0) {
    return;
  }
  threads_.erase(found);
  looked_at_.erase(record.pid);
  doubtful_.erase(record.pid);
  spaces_.forget(record.pid);
}

void PerfSampler::digest(PerfRecord& record, std::vector<AddressSample>& into) {
  switch (record.kind) {
    case PerfRecord::sample:
      into.push_back(
          located({record.nanoseconds, static_cast<std::uint64_t>(interval_.count()), record.pid,
                   record.tid, record.address, kNoMapping, record.in_kernel, false}));
      break;
    case PerfRecord::mapped:
      spaces_.map({record.pid, record.address, record.address + record.length, record.file_offset,
                   std::string(path_of_mapping(record.name))});
      break;
    case PerfRecord::executed:
      threads_.try_emplace(record.pid, 1);
      looked_at_.erase(record.pid);
      spaces_.forget(record.pid);
      break;
    case PerfRecord::forked:
      begin(record);
      break;
    case PerfRecord::ended:
      end(record);
      break;
    case PerfRecord::lost:
      lost_ += record.count;
      for (const auto& [pid, count] : threads_) {
        doubtful_.insert(pid);
      }
      break;
    case PerfRecord::throttled:
      ++throttled_;
      break;
    case PerfRecord::stack:
      stacks_.push_back(located_stack(std::move(record)));
      break;
  }
}

std::vector<AddressSample> PerfSampler::take(bool is_last) {
  const std::uint64_t until =
      is_last ? std::numeric_limits<std::uint64_t>::max() : monotonic_nanoseconds() - kSettles;
  events_.read(pending_);
  std::stable_sort(pending_.begin(), pending_.end(), [](const PerfRecord& a, const PerfRecord& b) {
    return a.nanoseconds < b.nanoseconds;
  });
  std::vector<AddressSample> samples;
  auto added = added_.begin();
  const auto add_until = [&](std::uint64_t time) {
    for (; added != added_.end() && added->nanoseconds <= time; ++added) {
      samples.push_back(located(*added));
    }
  };
  auto record = pending_.begin();
  for (; record != pending_.end() && record->nanoseconds <= until; ++record) {
    add_until(record->nanoseconds);
    digest(*record, samples);
  }
  add_until(until);
  pending_.erase(pending_.begin(), record);
  added_.erase(added_.begin(), added);
  return samples;
}

std::vector<StackSample> PerfSampler::take_stacks() {
  return std::exchange(stacks_, {});
}

void PerfSampler::add(const std::vector<AddressSample>& samples) {
  added_.insert(added_.end(), samples.begin(), samples.end());
}

std::vector<pid_t> PerfSampler::processes() {
  std::vector<pid_t> all;
  for (const auto& [pid, count] : threads_) {
    all.push_back(pid);
  }
  return all;
}

void PerfSampler::append_mappings(std::vector<CodeMapping>& known) {
  const auto& all = spaces_.mappings();
  known.insert(known.end(), all.begin() + static_cast<std::ptrdiff_t>(known.size()), all.end());
}

}  // namespace ridge::platform
