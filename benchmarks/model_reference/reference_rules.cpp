#include "reference_rules.hpp"

#include <algorithm>
#include <memory>

namespace ridge::benchmarks {
namespace {

using analyze::Counters;
using analyze::IterationSpace;
using analyze::PlacedAccess;
using analyze::testing_reference::Figures;
using analyze::testing_reference::Row;

class Level {
 public:
  Level(const Cache& cache, Level* beyond, bool feeds_victim)
      : ways_(cache.ways),
        sets_(cache.size_bytes / cache.line_bytes / cache.ways),
        lines_(sets_ * ways_),
        invalid_(lines_.size()),
        allocates_(cache.policy != CachePolicy::victim),
        feeds_victim_(feeds_victim),
        beyond_(beyond) {}

  void load(std::int64_t line) {
    Line* const set = set_of(line);
    for (std::size_t way = 0; way < ways_; ++way) {
      if (set[way].number == line) {
        std::rotate(set, set + way, set + way + 1);
        return;
      }
    }
    ++misses;
    if (beyond_ != nullptr) {
      beyond_->load(line);
    }
    put({line, false});
  }

  void store(std::int64_t line) {
    Line* const set = set_of(line);
    Line* const end = set + ways_;
    Line* found = std::find_if(set, end, [&](const Line& each) { return each.number == line; });
    if (found == end && allocates_) {
      load(line);
      found = set;
    } else if (found == end) {
      put({line, true});
      found = set;
    }
    found->is_dirty = true;
  }

  [[nodiscard]] std::size_t invalid() const { return invalid_; }

  std::uint64_t misses = 0;
  std::uint64_t written_back = 0;

 private:
  struct Line {
    std::int64_t number = -1;
    bool is_dirty = false;
  };

  Line* set_of(std::int64_t line) {
    return lines_.data() + static_cast<std::size_t>(line) % sets_ * ways_;
  }

  void put(Line line) {
    Line* const set = set_of(line.number);
    const Line displaced = set[ways_ - 1];
    std::move_backward(set, set + ways_ - 1, set + ways_);
    *set = line;
    if (displaced.number < 0) {
      --invalid_;
      return;
    }
    if (displaced.is_dirty) {
      ++written_back;
      if (beyond_ != nullptr) {
        beyond_->store(displaced.number);
      }
    }
    if (feeds_victim_) {
      beyond_->put({displaced.number, false});
    }
  }

  std::size_t ways_;
  std::size_t sets_;
  std::vector<Line> lines_;
  std::size_t invalid_;
  bool allocates_;
  bool feeds_victim_;
  Level* beyond_;
};

class Replay {
 public:
  Replay(const IterationSpace& space, const Machine& machine) : space_(&space) {
    for (std::size_t i = machine.caches.size(); i-- > 0;) {
      const bool feeds_victim =
          i + 1 < machine.caches.size() && machine.caches[i + 1].policy == CachePolicy::victim;
      levels_.insert(
          levels_.begin(),
          std::make_unique<Level>(machine.caches[i],
                                  levels_.empty() ? nullptr : levels_.front().get(), feeds_victim));
      elements_ += static_cast<std::int64_t>(machine.caches[i].size_bytes / 8);
    }
    has_victim_ = machine.caches.back().policy == CachePolicy::victim;
    iterations_ = static_cast<std::int64_t>(space.iterations());
  }

  Figures figures() {
    constexpr std::int64_t kWindow = 100'000;
    std::int64_t begin = warm_up();
    const std::int64_t aligned = begin + (8 - first_element(begin) % 8) % 8;
    run(begin, aligned);
    begin = aligned;
    const std::vector<std::uint64_t> before = counts();
    std::int64_t end = std::min(begin + kWindow, iterations_ - 1);
    end -= first_element(end) % 8;
    run(begin, end);
    const std::vector<std::uint64_t> after = counts();
    const double lines_of_work = static_cast<double>(end - begin) / 8.0;
    Figures made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = 64.0 * static_cast<double>(after[i] - before[i]) / lines_of_work;
    }
    if (has_victim_) {
      made[3] = made[2];  // clean lines too
    }
    return made;
  }

 private:
  /// In up to 100 steps, until the caches are full or the nest ends. Where the window begins.
  std::int64_t warm_up() {
    constexpr int kSteps = 100;
    constexpr std::int64_t kRoom = 100'000;
    const std::int64_t step = (elements_ + kSteps / 2 - 1) / (kSteps / 2);
    std::int64_t at = 0;
    for (int i = 0; i < kSteps && invalid() > 0 && at < iterations_; ++i) {
      const std::int64_t next = std::min(at + step, iterations_);
      run(at, next);
      at = next;
    }
    if (at < iterations_ && at <= iterations_ - kRoom) {
      return at;
    }
    run(at, iterations_);
    return 0;
  }

  [[nodiscard]] std::size_t invalid() const {
    std::size_t sum = 0;
    for (const auto& level : levels_) {
      sum += level->invalid();
    }
    return sum;
  }

  [[nodiscard]] std::vector<std::uint64_t> counts() const {
    std::vector<std::uint64_t> all;
    for (const auto& level : levels_) {
      all.push_back(level->misses);
      all.push_back(level->written_back);
    }
    return all;
  }

  /// Counters of an iteration; all loops run as often each time.
  [[nodiscard]] Counters counters_at(std::int64_t iteration) const {
    Counters counters(space_->loops(), 0);
    for (std::size_t loop = space_->loops(); loop-- > 0;) {
      const std::int64_t trips = space_->trips(loop, Counters(space_->loops(), 0));
      counters[loop] = iteration % trips;
      iteration /= trips;
    }
    return counters;
  }

  /// Of what is written first, or read first where nothing is, counted in elements.
  [[nodiscard]] std::int64_t first_element(std::int64_t iteration) const {
    const Counters counters = counters_at(iteration);
    std::int64_t written = INT64_MAX;
    std::int64_t read = INT64_MAX;
    for (const PlacedAccess& access : space_->accesses()) {
      std::int64_t& least = access.is_write ? written : read;
      least = std::min(least, access.address.at(counters));
    }
    return (written == INT64_MAX ? read : written) % 64 / 8;
  }

  void run(std::int64_t begin, std::int64_t end) {
    const std::size_t innermost = space_->loops() - 1;
    const std::int64_t trips = space_->trips(innermost, Counters(space_->loops(), 0));
    while (begin < end) {
      Counters counters = counters_at(begin);
      const std::int64_t row_end = std::min(end, begin + trips - counters[innermost]);
      std::vector<std::pair<std::int64_t, std::int64_t>> loads;  // address, step
      std::vector<std::pair<std::int64_t, std::int64_t>> stores;
      for (const PlacedAccess& access : space_->accesses()) {
        if (access.depth != space_->loops()) {
          continue;
        }
        const std::int64_t address = access.address.at(counters);
        ++counters[innermost];
        const std::int64_t step = access.address.at(counters) - address;
        --counters[innermost];
        if (step != 0) {
          (access.is_write ? stores : loads).emplace_back(address, step);
        }
      }
      for (std::int64_t i = 0; i < row_end - begin; ++i) {
        for (const auto& [address, step] : loads) {
          levels_.front()->load((address + i * step) / 64);
        }
        for (const auto& [address, step] : stores) {
          levels_.front()->store((address + i * step) / 64);
        }
      }
      begin = row_end;
    }
  }

  const IterationSpace* space_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::int64_t elements_ = 0;
  std::int64_t iterations_ = 0;
  bool has_victim_ = false;
};

}  // namespace

std::optional<Figures> by_reference_rules(const Row& row) {
  const auto space = IterationSpace::of(analyze::testing_reference::kernel(row.kernel), row.values,
                                        analyze::testing_reference::layout(row), {});
  if (!space) {
    return std::nullopt;
  }
  return Replay(*space, analyze::testing_reference::machine(row.machine, row.predictor)).figures();
}

}  // namespace ridge::benchmarks
