#include "predict/network/layer_times.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tensor_graph.hpp"

namespace ridge::predict {
namespace {

using RoofIndex = std::uint32_t;

/// Conversions count 0 flop, so that narrow numbers may be computed wider.
struct Wider {
  std::string_view narrow;
  std::string_view wide;
};
constexpr std::array<Wider, 4> kWider{
    {{"fp8", "fp16"}, {"fp16", "fp32"}, {"bf16", "fp32"}, {"tf32", "fp32"}}};

std::string_view wider_than(std::string_view precision) {
  const auto* found = std::find_if(kWider.begin(), kWider.end(), [&](const Wider& pair) {
    return pair.narrow == precision;
  });
  return found != kWider.end() ? found->wide : std::string_view();
}

/// Peaks are published for "int8", whatever the sign.
std::string peak_name(const std::string& precision) {
  return precision == "uint8" ? "int8" : precision;
}

Basis other(Basis basis) {
  return basis == Basis::theoretical ? Basis::sustained : Basis::theoretical;
}

class Roofs {
 public:
  Roofs(const Specification& machine, Basis preferred) : machine_(machine), preferred_(preferred) {}

  /// nullopt, with a note, when there is none.
  std::optional<RoofIndex> for_products(const std::string& precision);
  std::optional<RoofIndex> for_vectors(const std::string& precision);
  std::optional<RoofIndex> memory();

  std::vector<NetworkRoof> take_roofs() { return std::move(roofs_); }
  std::vector<Note> take_notes() { return std::move(notes_); }
  [[nodiscard]] double rate(RoofIndex roof) const { return roofs_[roof].rate; }

 private:
  std::optional<RoofIndex> peak(const std::string& precision, Pipes pipes);
  RoofIndex add(NetworkRoof roof);
  void note(std::string code, std::string text);

  const Specification& machine_;
  Basis preferred_;
  std::vector<NetworkRoof> roofs_;
  std::vector<Note> notes_;
  std::map<std::pair<std::string, Pipes>, std::optional<RoofIndex>> known_;  // asked before
  std::optional<RoofIndex> memory_;
};

RoofIndex Roofs::add(NetworkRoof roof) {
  const auto same = std::find_if(roofs_.begin(), roofs_.end(),
                                 [&](const NetworkRoof& known) { return known.name == roof.name; });
  if (same != roofs_.end()) {
    return static_cast<RoofIndex>(same - roofs_.begin());
  }
  roofs_.push_back(std::move(roof));
  return static_cast<RoofIndex>(roofs_.size() - 1);
}

void Roofs::note(std::string code, std::string text) {
  notes_.push_back({std::move(code), std::move(text)});
}

std::optional<RoofIndex> Roofs::peak(const std::string& precision, Pipes pipes) {
  for (const Basis basis : {preferred_, other(preferred_)}) {
    if (const PublishedPeak* found = highest_peak(machine_, precision, pipes, basis)) {
      return add({fmt::format("{} {}", precision, to_string(pipes)), found->figure.value,
                  is_floating(precision) ? "flop/s" : "op/s", basis, found->figure.origin,
                  found->figure.verified});
    }
  }
  return std::nullopt;
}

std::optional<RoofIndex> Roofs::for_products(const std::string& precision) {
  const std::string name = peak_name(precision);
  const auto [slot, fresh] = known_.try_emplace({name, Pipes::matrix});
  if (!fresh) {
    return slot->second;
  }
  slot->second = peak(name, Pipes::matrix);
  if (!slot->second) {
    slot->second = peak(name, Pipes::vector);
    if (slot->second) {
      note("no-matrix-peak",
           fmt::format("no {} peak of matrix pipes is known: products use the vector pipes", name));
    } else {
      note("no-peak", fmt::format("no {} peak known", name));
    }
  }
  return slot->second;
}

std::optional<RoofIndex> Roofs::for_vectors(const std::string& precision) {
  const std::string name = peak_name(precision);
  const auto [slot, fresh] = known_.try_emplace({name, Pipes::vector});
  if (!fresh) {
    return slot->second;
  }
  std::string at = name;
  slot->second = peak(at, Pipes::vector);
  while (!slot->second && !wider_than(at).empty()) {
    at = wider_than(at);
    slot->second = peak(at, Pipes::vector);
  }
  if (!slot->second) {
    note("no-peak", fmt::format("no {} peak of vector pipes known: that work takes no time here, "
                                "the layers are marked", name));
  } else if (at != name) {
    note("wider-peak", fmt::format("no {} peak of vector pipes known: work outside of products is "
                                   "held against {} vector", name, at));
  }
  return slot->second;
}

std::optional<RoofIndex> Roofs::memory() {
  if (memory_) {
    return memory_;
  }
  const std::string level = main_memory(machine_);
  for (const Basis basis : {preferred_, other(preferred_)}) {
    if (const PublishedBandwidth* found = highest_bandwidth(machine_, level, basis)) {
      memory_ = add({level, found->figure.value, "byte/s", basis, found->figure.origin,
                     found->figure.verified});
      return memory_;
    }
  }
  return std::nullopt;
}

// ---- one layer ----

class Clock {
 public:
  Clock(Roofs& roofs, RoofIndex memory) : roofs_(roofs), memory_(memory) {}

  LayerTime time_of(const NetworkLayer& layer) {
    time_ = {};
    slowest_ = -1.0;
    time_.incomplete = !layer.flops || !layer.bytes();
    add_work(layer);
    if (const auto bytes = layer.bytes(); bytes && *bytes > 0) {
      time_.memory_seconds = static_cast<double>(*bytes) / roofs_.rate(memory_);
      consider(*time_.memory_seconds, memory_);
    }
    if (slowest_ >= 0.0) {
      time_.seconds = slowest_;
    } else if (!time_.incomplete) {
      time_.seconds = 0.0;
    }
    return time_;
  }

 private:
  void add_work(const NetworkLayer& layer) {
    const std::uint64_t flops = layer.flops.value_or(0);
    const std::uint64_t intops = layer.intops.value_or(0);
    if (layer.kind != LayerKind::product) {
      add(flops, [&] { return roofs_.for_vectors(layer.precision); });
      // Integers beside floats (zero points) have the type of neither; no vector peak is published.
      add(intops, [&] { return roofs_.for_vectors(flops > 0 ? "int32" : layer.precision); });
    } else if (is_floating(layer.precision)) {
      add(flops - layer.fused_flops, [&] { return roofs_.for_products(layer.precision); });
      add(layer.fused_flops, [&] { return roofs_.for_vectors(layer.precision); });
    } else {
      add(intops, [&] { return roofs_.for_products(layer.precision); });
      add(flops, [&] { return roofs_.for_vectors("fp32"); });  // scales are fp32
    }
  }

  /// Different pipes work at the same time: the slowest decides (CONTRACTS section 3).
  template <class Roof>
  void add(std::uint64_t work, Roof roof_for) {
    if (work == 0) {
      return;
    }
    const std::optional<RoofIndex> roof = roof_for();
    if (!roof) {
      time_.incomplete = true;
      return;
    }
    const double seconds = static_cast<double>(work) / roofs_.rate(*roof);
    time_.compute_seconds = std::max(time_.compute_seconds.value_or(0.0), seconds);
    consider(seconds, *roof);
  }

  void consider(double seconds, RoofIndex roof) {
    if (seconds > slowest_) {
      slowest_ = seconds;
      time_.bound = roof;
    }
  }

  Roofs& roofs_;
  RoofIndex memory_;
  LayerTime time_;
  double slowest_ = -1.0;
};

/// A machine that has no peak of the precision cannot answer; others' products can.
Result<void> check_peaks(const Network& network, const Specification& machine, Roofs& roofs) {
  for (const NetworkLayer& layer : network.layers) {
    if (layer.kind != LayerKind::product || !is_floating(layer.precision) ||
        roofs.for_products(layer.precision)) {
      continue;
    }
    std::set<std::string> known;
    for (const PublishedPeak& peak : machine.peaks) {
      known.insert(peak.precision);
    }
    return fail(ErrorCode::bad_input,
                fmt::format("{}: no {} peak known", machine.key, layer.precision),
                fmt::format("known of it: {}; choose with --precision", fmt::join(known, ", ")));
  }
  return {};
}

}  // namespace

Result<NetworkTimes> times_of(const Network& network, const Specification& machine,
                              Basis preferred) {
  Roofs roofs(machine, preferred);
  const auto memory = roofs.memory();
  if (!memory) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: no bandwidth of a memory known", machine.key),
                "`ridge machines show NAME` prints what is known");
  }
  if (auto fine = check_peaks(network, machine, roofs); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  NetworkTimes times;
  times.machine = machine.key;
  times.machine_name = machine.name;
  Clock clock(roofs, *memory);
  for (const NetworkLayer& layer : network.layers) {
    const LayerTime time = clock.time_of(layer);
    times.seconds += time.seconds.value_or(0.0);
    times.seconds_without_overlap +=
        time.compute_seconds.value_or(0.0) + time.memory_seconds.value_or(0.0);
    times.incomplete_layers += time.incomplete ? 1 : 0;
    times.layers.push_back(time);
  }
  times.roofs = roofs.take_roofs();
  times.notes = roofs.take_notes();
  return times;
}

}  // namespace ridge::predict
