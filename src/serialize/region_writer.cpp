#include <string>

#include "core/value/doubtful_traffic.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/region_value.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

void write_sampled(Writer& writer, std::string_view key, const std::optional<SampledTime>& time) {
  if (!time) {
    return;
  }
  writer.object(key, [&] {
    writer.member("value", time->value.value());
    writer.member("low", time->low.value());
    writer.member("high", time->high.value());
    writer.member("samples", time->samples);
  });
}

void write_times(Writer& writer, std::string_view key, const SelfAndInclusive& times) {
  writer.object(key, [&] {
    write_sampled(writer, "self", times.self);
    write_sampled(writer, "inclusive", times.inclusive);
  });
}

void write_work(Writer& writer, const Work& work) {
  writer.object("flops", [&] {
    writer.member("total", work.total());
    for (const auto precision :
         {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
      writer.member(to_string(precision), work.total(precision));
    }
    writer.objects("terms", work.terms, [&](const WorkTerm& term) {
      writer.member("precision", to_string(term.precision));
      writer.member("kind", to_string(term.kind));
      writer.member("width_bits", term.width_bits);
      writer.member("flops", term.flops);
    });
    writer.member("other", work.other);
  });
}

/// Names that differ only in invalid bytes become one key: their counts are added.
void write_counts(Writer& writer, std::string_view key,
                  const std::map<std::string, std::uint64_t>& counts) {
  std::map<std::string, std::uint64_t> printable;
  for (const auto& [name, count] : counts) {
    printable[replace_invalid_utf8(name)] += count;
  }
  writer.object(key, [&] {
    for (const auto& [name, count] : printable) {
      writer.member(name, count);
    }
  });
}

void write_bytes(Writer& writer, const Region& region) {
  writer.object("bytes", [&] {
    writer.member("loaded", region.bytes_loaded);
    writer.member("stored", region.bytes_stored);
    writer.member("non_temporal", region.bytes_non_temporal);
    writer.member("overwritten", region.bytes_overwritten);
  });
}

bool has_precision(ChainOperation operation) {
  return operation <= ChainOperation::sqrt;
}

/// How the work was done: only what is known.
void write_details(Writer& writer, const Region& region) {
  if (!region.accesses.empty()) {
    writer.objects("accesses", region.accesses, [&](const AccessTerm& term) {
      writer.member("pattern", to_string(term.pattern));
      writer.member("write", term.write);
      writer.member("stride_bytes", term.stride_bytes);
      writer.member("bytes", term.bytes);
    });
  }
  if (region.gathered) {
    writer.object("gathered", [&] {
      writer.member("read", region.gathered->read);
      writer.member("written", region.gathered->written);
    });
  }
  if (region.masked) {
    writer.object("masked", [&] {
      writer.member("operations", region.masked->operations);
      writer.member("lanes", region.masked->lanes);
      writer.member("active_lanes", region.masked->active_lanes);
    });
  }
  if (!region.chain.empty()) {
    writer.objects("chain", region.chain, [&](const ChainTerm& term) {
      writer.member("operation", to_string(term.operation));
      if (has_precision(term.operation)) {
        writer.member("precision", to_string(term.precision));
      }
      writer.member("reduction", term.reduction);
      writer.member("operations", term.operations);
    });
  }
  writer.member("not_vectorised", region.not_vectorised);
}

void write_traffic(Writer& writer, std::string_view key, const TrafficByLevel& levels) {
  writer.object(key, [&] {
    for (const auto& [level, traffic] : levels) {
      writer.object(level, [&, &crossing = traffic] {
        writer.member("read", crossing.read);
        writer.member("written", crossing.written);
      });
    }
  });
}

void write_intervals(Writer& writer, const std::map<std::string, TrafficInterval>& levels) {
  if (levels.empty()) {
    return;
  }
  writer.object("traffic_interval", [&] {
    for (const auto& [level, value] : levels) {
      writer.object(level, [&, &interval = value] {
        writer.member("low", interval.low);
        writer.member("high", interval.high);
      });
    }
  });
}

void write_imbalance(Writer& writer, std::string_view key, const std::optional<Imbalance>& value) {
  if (value) {
    writer.object(key, [&] {
      writer.member("quantity", to_string(value->quantity));
      writer.member("max_over_mean", value->max_over_mean);
      writer.member("threads", value->threads);
    });
  }
}

void write_thread_work(Writer& writer, const std::vector<ThreadWork>& threads) {
  if (threads.empty()) {
    return;
  }
  writer.objects("thread_work", threads, [&](const ThreadWork& thread) {
    writer.member("thread", thread.thread);
    writer.member("flops", thread.flops);
    writer.member("bytes", thread.bytes);
    writer.member("iterations", thread.iterations);
    write_sampled(writer, "cpu_seconds", thread.cpu_seconds);
  });
  const auto work = work_imbalance(threads);
  const auto cpu = cpu_imbalance(threads);
  if (work || cpu) {
    writer.object("imbalance", [&] {
      write_imbalance(writer, "work", work);
      write_imbalance(writer, "cpu", cpu);
    });
  }
}

void write_page_faults(Writer& writer, const PageFaults& faults) {
  writer.object("page_faults", [&] {
    writer.member("value", faults.value);
    writer.member("low", faults.low);
    writer.member("high", faults.high);
    writer.member("major", faults.major);
    writer.member("kernel_seconds", faults.kernel_seconds.value());
  });
}

void write_lines(Writer& writer, const Region& region) {
  writer.member("line_use", region.line_use);
  if (!region.miss_curve.empty()) {
    writer.objects("miss_curve", region.miss_curve, [&](const MissCurvePoint& point) {
      writer.member("capacity_bytes", point.capacity_bytes);
      writer.member("misses_bytes", point.misses_bytes);
    });
  }
  if (!region.memory_nodes.empty()) {
    writer.objects("memory_nodes", region.memory_nodes, [&](const NodeLines& nodes) {
      writer.member("thread_node", nodes.thread_node);
      writer.member("memory_node", nodes.memory_node);
      writer.member("samples", nodes.samples);
    });
  }
  if (region.sharing) {
    writer.object("sharing", [&] {
      writer.member("lines", region.sharing->lines);
      writer.member("falsely", region.sharing->falsely);
      writer.member("truly", region.sharing->truly);
      writer.member("invalidations", region.sharing->invalidations);
      if (region.sharing->turns) {
        writer.member("turns", *region.sharing->turns);
      }
    });
  }
}

void write_findings(Writer& writer, const std::vector<Finding>& findings) {
  writer.objects("findings", findings, [&](const Finding& finding) {
    writer.member("code", finding.code);
    writer.member("text", finding.text);
    writer.object("evidence", [&] {
      for (const auto& [name, value] : finding.evidence) {
        writer.member(name, value);
      }
    });
    writer.member("speed_up", finding.gain);
    writer.member("speed_up_least", finding.gain_least);
    if (finding.gain_is_bound) {
      writer.member("speed_up_is_bound", true);
    }
    writer.member("speed_up_note", finding.gain_note);
    writer.member("gain_program", finding.gain_program);
    if (finding.origin) {
      writer.member("origin", to_string(*finding.origin));
    }
  });
}

void write_bound_members(Writer& writer, const Bound& bound) {
  writer.member("ceiling", bound.ceiling);
  writer.member("unit", to_string(bound.unit));
  writer.member("attainable", bound.attainable);
  writer.member("fraction", bound.fraction);
  writer.member("next", bound.next);
  writer.member("next_attainable", bound.next_attainable);
}

void write_verdict(Writer& writer, const RegionVerdict& verdict) {
  writer.object("verdict", [&] {
    writer.member("code", to_string(verdict.kind));
    if (!verdict.resource.empty()) {
      writer.member("resource", verdict.resource);
    }
    writer.member("text", verdict.text);
    if (verdict.by_cpu_time) {
      writer.member("by_cpu_time", true);
    }
  });
}

void write_bound(Writer& writer, const RegionPrediction& prediction) {
  writer.object("bound", [&] {
    if (prediction.code) {
      writer.object("code", [&] { write_bound_members(writer, *prediction.code); });
    }
    if (prediction.machine) {
      writer.object("machine", [&] { write_bound_members(writer, *prediction.machine); });
    }
    if (!prediction.code_at_neighbouring_threads.empty()) {
      writer.objects("code_at_neighbouring_threads", prediction.code_at_neighbouring_threads,
                     [&](const Bound& bound) { write_bound_members(writer, bound); });
    }
    writer.member("gain", prediction.gain);
    if (prediction.verdict) {
      write_verdict(writer, *prediction.verdict);
    }
    if (!prediction.notes.empty()) {
      write_notes(writer, prediction.notes);
    }
  });
}

void write_derived(Writer& writer, const Region& region, const Profile& profile,
                   const RegionPrediction* prediction) {
  std::vector<std::string> unbounded;
  writer.object("intensity", [&] {
    for (const auto& [level, traffic] : region.traffic) {
      if (const auto value = intensity(region, level)) {
        writer.member(level, value->value());
      } else if (region.flops.total() > 0) {
        unbounded.push_back(level);
      }
    }
  });
  if (!unbounded.empty()) {
    writer.strings("unbounded", unbounded);
  }
  const auto doubtful = levels_of_doubtful_traffic(region, profile);
  if (!doubtful.empty()) {
    writer.strings("doubtful_traffic", doubtful);
  }
  if (const auto rate = performance(region)) {
    writer.member("performance", rate->value());
  }
  if (prediction != nullptr) {
    write_bound(writer, *prediction);
  }
}

void write_place(Writer& writer, const Region& region) {
  writer.member("id", region.id);
  writer.member("process", region.process);
  writer.member("kind", to_string(region.kind));
  writer.member("name", region.name);
  writer.member("function", region.function);
  writer.member("file", region.file);
  writer.member("line", region.line);
  writer.member("column", region.column);
  writer.member("parent", region.parent);
  if (region.partial) {
    writer.member("partial", true);
  }
  writer.member("threads", region.threads);
  writer.member("entries", region.entries);
  writer.member("iterations", region.iterations);
}

}  // namespace

void write_notes(Writer& writer, const std::vector<Note>& notes) {
  writer.objects("notes", notes, [&](const Note& note) {
    writer.member("code", note.code);
    writer.member("text", note.text);
  });
}

void write_region_members(Writer& writer, const Region& region, const Profile& profile,
                          const RegionPrediction* prediction) {
  write_place(writer, region);
  if (region.trip_counts) {
    writer.object("trip_counts", [&] {
      writer.member("shortest", region.trip_counts->shortest);
      writer.member("longest", region.trip_counts->longest);
    });
  }
  write_times(writer, "time_seconds", region.time_seconds);
  write_times(writer, "cpu_seconds", region.cpu_seconds);
  if (region.waited_seconds) {
    writer.member("waited_seconds", region.waited_seconds->value());
  }
  if (region.page_faults) {
    write_page_faults(writer, *region.page_faults);
  }
  write_work(writer, region.flops);
  writer.member("fusible_flops", region.fusible_flops);
  writer.member("intops", region.intops);
  write_counts(writer, "calls", region.calls);
  if (!region.opaque.empty()) {
    write_counts(writer, "opaque", region.opaque);
  }
  write_bytes(writer, region);
  write_details(writer, region);
  write_traffic(writer, "traffic", region.traffic);
  write_intervals(writer, region.traffic_interval);
  if (!region.least_traffic.empty()) {
    write_traffic(writer, "least_traffic", region.least_traffic);
  }
  if (!region.traffic_at_share.empty()) {
    write_traffic(writer, "traffic_at_share", region.traffic_at_share);
  }
  if (!region.traffic_elsewhere.empty()) {
    writer.object("traffic_elsewhere", [&] {
      for (const auto& [name, traffic] : region.traffic_elsewhere) {
        write_traffic(writer, name, traffic);
      }
    });
  }
  write_lines(writer, region);
  write_thread_work(writer, region.thread_work);
  if (region.traffic_mode) {
    writer.member("traffic_mode", to_string(*region.traffic_mode));
  }
  write_derived(writer, region, profile, prediction);
  write_findings(writer, region.findings);
  write_notes(writer, region.notes);
}

}  // namespace ridge::serialize
