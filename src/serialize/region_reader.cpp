#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/core.h>

#include "serialize/json_reader.hpp"
#include "serialize/region_value.hpp"

namespace ridge::serialize {
namespace {

SampledTime read_sampled(const Reader& object) {
  SampledTime time;
  time.value = Seconds(object.at("value").non_negative_real());
  time.low = Seconds(object.at("low").non_negative_real());
  time.high = Seconds(object.at("high").non_negative_real());
  time.samples = object.at("samples").count();
  // The three come from separate formulas: their rounding must not make a result unreadable.
  const double slack = 1e-9 * time.high.value();
  if (time.low.value() > time.value.value() + slack ||
      time.value.value() > time.high.value() + slack) {
    object.fail(fmt::format("must have low <= value <= high, has {}, {}, {}", time.low.value(),
                            time.value.value(), time.high.value()));
  }
  return time;
}

SelfAndInclusive read_times(const Reader& object) {
  return {optional_from(object.find("self"), read_sampled),
          optional_from(object.find("inclusive"), read_sampled)};
}

WorkTerm read_term(const Reader& object) {
  WorkTerm term;
  term.precision =
      object.at("precision")
          .choice({Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16});
  term.kind = object.at("kind").choice({OperationKind::add, OperationKind::mul, OperationKind::fma,
                                        OperationKind::div, OperationKind::sqrt});
  term.width_bits = object.at("width_bits").positive();
  term.flops = object.at("flops").count();
  if (term.width_bits % element_bits(term.precision) != 0) {
    object.find("width_bits")
        .fail(fmt::format("must be a multiple of {} for {}, is {}", element_bits(term.precision),
                          to_string(term.precision), term.width_bits));
  }
  return term;
}

void check_sum(const Reader& object, std::string_view key, std::uint64_t terms) {
  const Reader value = object.find(key);
  if (!value.absent() && value.ok() && value.count() != terms) {
    value.fail(fmt::format("is {}, but the terms add up to {}", value.count(), terms));
  }
}

Work read_work(const Reader& object) {
  Work work;
  std::set<std::tuple<Precision, OperationKind, unsigned>> keys;
  std::uint64_t sum = 0;
  for (const Reader& item : object.at("terms").items()) {
    const WorkTerm term = read_term(item);
    if (!keys.insert({term.precision, term.kind, term.width_bits}).second) {
      item.fail("repeats precision, kind and width of an earlier term");
    }
    if (__builtin_add_overflow(sum, term.flops, &sum)) {
      item.fail("makes the sum of the terms exceed 2^64-1");
      return work;
    }
    work.terms.push_back(term);
  }
  (void)object.at("total");
  check_sum(object, "total", work.total());
  for (const auto precision :
       {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
    check_sum(object, to_string(precision), work.total(precision).value_or(0));
  }
  work.other = optional_from(object.find("other"), &Reader::count).value_or(0);
  return work;
}

Traffic read_crossing(const Reader& object) {
  return {object.at("read").count(), object.at("written").count()};
}

std::map<std::string, std::uint64_t> read_counts(const Reader& object) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [name, value] : object.members()) {
    counts.emplace(name, value.count());
  }
  return counts;
}

TrafficMode read_traffic_mode(const Reader& value) {
  const auto mode = parse_traffic_mode(value.text());
  if (!mode) {
    value.fail("must be exact or sampled");
  }
  return *mode;
}

TrafficByLevel read_traffic(const Reader& object) {
  TrafficByLevel traffic;
  for (const auto& [level, value] : object.members()) {
    traffic.emplace(level, read_crossing(value));
  }
  return traffic;
}

std::map<std::string, TrafficInterval> read_intervals(const Reader& object) {
  std::map<std::string, TrafficInterval> intervals;
  for (const auto& [level, value] : object.members()) {
    const TrafficInterval interval{value.at("low").count(), value.at("high").count()};
    if (interval.low > interval.high) {
      value.fail("must have a low that is not above its high");
    }
    intervals.emplace(level, interval);
  }
  return intervals;
}

AccessTerm read_access(const Reader& object) {
  AccessTerm term;
  term.pattern = object.at("pattern").choice({AccessPattern::unknown, AccessPattern::unit,
                                              AccessPattern::constant, AccessPattern::invariant,
                                              AccessPattern::indirect});
  term.write = object.at("write").flag();
  term.stride_bytes = optional_from(object.find("stride_bytes"), &Reader::positive);
  term.bytes = object.at("bytes").count();
  return term;
}

ChainTerm read_chain(const Reader& object) {
  ChainTerm term;
  term.operation = object.at("operation")
                       .choice({ChainOperation::add, ChainOperation::mul, ChainOperation::fma,
                                ChainOperation::div, ChainOperation::sqrt, ChainOperation::other,
                                ChainOperation::call, ChainOperation::load});
  term.precision =
      optional_from(object.find("precision"), [](const Reader& value) {
        return value.choice({Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16});
      }).value_or(Precision::fp64);
  term.reduction = object.at("reduction").flag();
  term.operations = object.at("operations").count();
  return term;
}

MaskedOperations read_masked(const Reader& object) {
  MaskedOperations masked;
  masked.operations = object.at("operations").count();
  masked.lanes = object.at("lanes").count();
  masked.active_lanes = object.at("active_lanes").count();
  if (masked.active_lanes > masked.lanes || masked.operations > masked.lanes) {
    object.fail("has more operations or active lanes than lanes");
  }
  return masked;
}

void read_details(const Reader& object, Region& region) {
  const auto list = [&](std::string_view key, auto read) {
    return optional_from(object.find(key),
                         [&](const Reader& array) { return list_from(array, read); });
  };
  region.accesses = list("accesses", read_access).value_or(std::vector<AccessTerm>{});
  region.gathered = optional_from(object.find("gathered"), read_crossing);
  region.masked = optional_from(object.find("masked"), read_masked);
  region.chain = list("chain", read_chain).value_or(std::vector<ChainTerm>{});
  region.not_vectorised = optional_from(object.find("not_vectorised"), &Reader::text);
}

ThreadWork read_thread_work(const Reader& object) {
  ThreadWork work;
  work.thread = object.at("thread").natural();
  work.flops = object.at("flops").count();
  work.bytes = object.at("bytes").count();
  work.iterations = object.at("iterations").count();
  work.cpu_seconds = optional_from(object.find("cpu_seconds"), read_sampled);
  return work;
}

PageFaults read_page_faults(const Reader& object) {
  PageFaults faults{object.at("value").count(), object.at("low").count(), object.at("high").count(),
                    object.at("major").count(),
                    Seconds(object.at("kernel_seconds").non_negative_real())};
  if (faults.low > faults.value || faults.value > faults.high) {
    object.fail("needs low <= value <= high");
  }
  if (faults.major > faults.value) {
    object.at("major").fail("is more than all page faults");
  }
  return faults;
}

TripCounts read_trip_counts(const Reader& object) {
  const TripCounts trips{object.at("shortest").count(), object.at("longest").count()};
  if (trips.shortest > trips.longest) {
    object.fail("has a shortest above the longest");
  }
  return trips;
}

LineSharing read_sharing(const Reader& object) {
  return {object.at("lines").count(), object.at("falsely").count(), object.at("truly").count(),
          object.at("invalidations").count(),
          optional_from(object.find("turns"), [](const Reader& value) { return value.count(); })};
}

NodeLines read_node_lines(const Reader& object) {
  return {object.at("thread_node").natural(), object.at("memory_node").natural(),
          object.at("samples").count()};
}

void read_lines(const Reader& object, Region& region) {
  region.line_use = optional_from(object.find("line_use"), &Reader::non_negative_real);
  if (const Reader curve = object.find("miss_curve"); !curve.absent()) {
    region.miss_curve = list_from(curve, [](const Reader& point) {
      return MissCurvePoint{point.at("capacity_bytes").count(), point.at("misses_bytes").count()};
    });
  }
  if (const Reader nodes = object.find("memory_nodes"); !nodes.absent()) {
    region.memory_nodes = list_from(nodes, read_node_lines);
  }
  region.sharing = optional_from(object.find("sharing"), read_sharing);
}

/// How many times as fast: nothing gets slower by losing a fault.
double read_gain(const Reader& object) {
  const double gain = object.real();
  if (gain < 1.0) {
    object.fail(fmt::format("is {}, below 1", gain));
  }
  return gain;
}

Finding read_finding(const Reader& object) {
  Finding finding;
  finding.code = object.at("code").text();
  finding.text = object.at("text").text();
  for (const auto& [name, value] : object.at("evidence").members()) {
    finding.evidence.emplace(name, value.real());
  }
  // Older versions said gain, which is the program's now.
  const auto named = [&](const char* name, const char* before) {
    const Reader found = object.find(name);
    return found.absent() ? object.find(before) : found;
  };
  finding.gain = optional_from(named("speed_up", "gain"), read_gain);
  finding.gain_least = optional_from(named("speed_up_least", "gain_least"), read_gain);
  finding.gain_note = optional_from(named("speed_up_note", "gain_note"), &Reader::text);
  finding.gain_is_bound =
      optional_from(object.find("speed_up_is_bound"), &Reader::flag).value_or(false);
  finding.gain_program = optional_from(object.find("gain_program"), read_gain);
  finding.origin = optional_from(object.find("origin"), read_origin);
  return finding;
}

void read_place(const Reader& object, std::size_t process_count, Region& region) {
  region.id = object.at("id").natural();
  region.process = object.at("process").natural();
  if (region.process >= process_count) {
    object.find("process").fail(
        fmt::format("is {}, but there are {} processes", region.process, process_count));
  }
  region.kind =
      object.at("kind").choice({RegionKind::program, RegionKind::function, RegionKind::loop,
                                RegionKind::library, RegionKind::marker});
  region.name = object.at("name").text();
  region.function = object.at("function").text();
  region.file = optional_from(object.find("file"), &Reader::text);
  region.line = optional_from(object.find("line"), &Reader::natural);
  region.column = optional_from(object.find("column"), &Reader::natural);
  region.parent = optional_from(object.find("parent"), &Reader::natural);
  region.partial = optional_from(object.find("partial"), &Reader::flag).value_or(false);
  region.threads = object.at("threads").positive();
  region.entries = object.at("entries").count();
  region.iterations = optional_from(object.find("iterations"), &Reader::count);
}

Region read_region(const Reader& object, std::size_t process_count) {
  Region region;
  read_place(object, process_count, region);
  region.trip_counts = optional_from(object.find("trip_counts"), read_trip_counts);
  region.time_seconds = read_times(object.at("time_seconds"));
  region.cpu_seconds = read_times(object.at("cpu_seconds"));
  if (const auto waited =
          optional_from(object.find("waited_seconds"), &Reader::non_negative_real)) {
    region.waited_seconds = Seconds(*waited);
  }
  region.page_faults = optional_from(object.find("page_faults"), read_page_faults);
  region.flops = read_work(object.at("flops"));
  region.fusible_flops = optional_from(object.find("fusible_flops"), &Reader::count);
  region.intops = optional_from(object.find("intops"), &Reader::count);
  region.calls = read_counts(object.at("calls"));
  region.opaque = optional_from(object.find("opaque"), read_counts).value_or(region.opaque);
  const Reader bytes = object.at("bytes");
  region.bytes_loaded = bytes.at("loaded").count();
  region.bytes_stored = bytes.at("stored").count();
  region.bytes_non_temporal = optional_from(bytes.find("non_temporal"), &Reader::count);
  region.bytes_overwritten = optional_from(bytes.find("overwritten"), &Reader::count);
  read_details(object, region);
  region.traffic = read_traffic(object.at("traffic"));
  region.least_traffic =
      optional_from(object.find("least_traffic"), read_traffic).value_or(TrafficByLevel{});
  if (const Reader intervals = object.find("traffic_interval"); !intervals.absent()) {
    region.traffic_interval = read_intervals(intervals);
  }
  region.traffic_at_share =
      optional_from(object.find("traffic_at_share"), read_traffic).value_or(TrafficByLevel{});
  if (const Reader elsewhere = object.find("traffic_elsewhere"); !elsewhere.absent()) {
    for (const auto& [name, traffic] : elsewhere.members()) {
      region.traffic_elsewhere.emplace(name, read_traffic(traffic));
    }
  }
  read_lines(object, region);
  if (const Reader threads = object.find("thread_work"); !threads.absent()) {
    region.thread_work = list_from(threads, read_thread_work);
  }
  region.traffic_mode = optional_from(object.find("traffic_mode"), read_traffic_mode);
  region.findings = list_from(object.at("findings"), read_finding);
  region.notes = read_notes(object.at("notes"));
  return region;
}

using IndexById = std::unordered_map<std::uint32_t, std::size_t>;

IndexById index_regions(const std::vector<Reader>& items, const std::vector<Region>& regions) {
  IndexById index;
  bool has_program = false;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!index.emplace(regions[i].id, i).second) {
      items[i].find("id").fail(fmt::format("stands twice: {}", regions[i].id));
    }
    if (regions[i].kind == RegionKind::program && std::exchange(has_program, true)) {
      items[i].find("kind").fail("is program a second time");
    }
  }
  return index;
}

/// Parents must exist and lead to a root. Each region is walked over once.
void check_parents(const std::vector<Reader>& items, const std::vector<Region>& regions) {
  const IndexById index = index_regions(items, regions);
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> walk_of(regions.size(), kUnseen);
  for (std::size_t start = 0; start < regions.size(); ++start) {
    std::size_t at = start;
    while (walk_of[at] == kUnseen && regions[at].parent) {
      walk_of[at] = start;
      const auto parent = index.find(*regions[at].parent);
      if (parent == index.end()) {
        items[at].find("parent").fail(
            fmt::format("is {}, but no region has this id", *regions[at].parent));
        return;
      }
      at = parent->second;
    }
    if (walk_of[at] == start && regions[at].parent) {
      items[at].find("parent").fail("leads back to the region itself");
      return;
    }
    walk_of[at] = start;
  }
}

}  // namespace

Origin read_origin(const Reader& value) {
  return value.choice({Origin::measured, Origin::counted, Origin::simulated, Origin::modelled,
                       Origin::datasheet, Origin::assumed});
}

std::vector<Note> read_notes(const Reader& array) {
  return list_from(array, [](const Reader& object) {
    return Note{object.at("code").text(), object.at("text").text()};
  });
}

std::vector<Region> read_regions(const Reader& array, std::size_t process_count) {
  const std::vector<Reader> items = array.items();
  std::vector<Region> regions;
  regions.reserve(items.size());
  for (const Reader& item : items) {
    regions.push_back(read_region(item, process_count));
    if (!item.ok()) {
      return regions;
    }
  }
  check_parents(items, regions);
  return regions;
}

}  // namespace ridge::serialize
