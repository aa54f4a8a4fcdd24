#include "predict/network/layer_times.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/value/tensor_graph.hpp"
#include "predict/roof/figure_choice.hpp"

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
  const auto* found = std::find_if(kWider.begin(), kWider.end(),
                                   [&](const Wider& pair) { return pair.narrow == precision; });
  return found != kWider.end() ? found->wide : std::string_view();
}

/// Peaks are published for "int8", whatever the sign.
std::string peak_name(const std::string& precision) {
  return precision == "uint8" ? "int8" : precision;
}

class Roofs {
 public:
  Roofs(const TargetMachine& target, Basis basis) : target_(target), basis_(basis) {}

  /// nullopt, with a note, when there is none.
  std::optional<RoofIndex> for_products(const std::string& precision);
  std::optional<RoofIndex> for_vectors(const std::string& precision);
  std::optional<RoofIndex> memory(double written_share);
  /// Of starting a kernel; nullopt where that costs nothing.
  std::optional<RoofIndex> launch(const std::optional<double>& asked);
  /// Seconds of vector work of which `fma` is fma.
  [[nodiscard]] double vector_seconds(RoofIndex roof, std::uint64_t flops, std::uint64_t fma);
  void note(std::string code, std::string text);

  std::vector<NetworkRoof> take_roofs() { return std::move(roofs_); }
  std::vector<Note> take_notes() { return std::move(notes_); }
  [[nodiscard]] double rate(RoofIndex roof) const { return roofs_[roof].rate; }

 private:
  std::optional<RoofIndex> peak(const std::string& precision, Pipes pipes);
  RoofIndex add(NetworkRoof roof);

  const TargetMachine& target_;
  Basis basis_;
  std::vector<NetworkRoof> roofs_;
  std::vector<Note> notes_;
  std::map<std::pair<std::string, Pipes>, std::optional<RoofIndex>> known_;  // asked before
  bool charged_double_ = false;
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
  const PublishedPeak* found = choose_peak(target_, precision, pipes, basis_);
  if (found == nullptr) {
    return std::nullopt;
  }
  return add({fmt::format("{} {}", precision, to_string(pipes)), found->figure.value,
              is_floating(precision) ? "flop/s" : "op/s", found->basis, found->figure.origin,
              found->figure.verified});
}

double Roofs::vector_seconds(RoofIndex roof, std::uint64_t flops, std::uint64_t fma) {
  const std::uint64_t others = flops - fma;
  const bool charge = target_.fma_shares_pipe.value_or(false) && others > 0;
  if (charge && !charged_double_) {
    charged_double_ = true;
    note("shared-pipe",
         "add, mul and fma share a pipe here: vector work that is no fma is charged "
         "double");
  }
  return static_cast<double>(flops + (charge ? others : 0)) / rate(roof);
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
                                "the layers are marked",
                                name));
  } else if (at != name) {
    note("wider-peak", fmt::format("no {} peak of vector pipes known: work outside of products is "
                                   "held against {} vector",
                                   name, at));
  }
  return slot->second;
}

std::optional<RoofIndex> Roofs::memory(double written_share) {
  const auto level = main_memory(target_.figures);
  const PublishedBandwidth* found =
      level ? choose_bandwidth(target_, *level, basis_, written_share) : nullptr;
  if (found == nullptr) {
    return std::nullopt;
  }
  const std::string name = found->pattern && found->basis == Basis::sustained
                               ? fmt::format("{} {}", to_string(*level), *found->pattern)
                               : std::string(to_string(*level));
  return add({name, found->figure.value, "byte/s", found->basis, found->figure.origin,
              found->figure.verified});
}

std::optional<RoofIndex> Roofs::launch(const std::optional<double>& asked) {
  const Specification& machine = target_.figures;
  if (machine.kind == MachineKind::cpu || asked == 0.0) {
    return std::nullopt;
  }
  const auto text = [](double seconds, std::string_view why) {
    return fmt::format(
        "starting a kernel takes {:.3g} us, {}; --launch-latency sets it, 0 leaves "
        "it out",
        seconds * 1e6, why);
  };
  if (asked) {
    note("launch-latency", text(*asked, "as asked for"));
    return add({"launch", 1.0 / *asked, "launch/s", Basis::sustained, Origin::assumed, true});
  }
  if (const auto& known = machine.launch_latency; known && known->value > 0.0) {
    note("launch-latency", text(known->value, "as its sources say"));
    return add({"launch", 1.0 / known->value, "launch/s", Basis::sustained, known->origin,
                known->verified});
  }
  if (machine.kind != MachineKind::gpu) {
    note("launch-latency", "what starting a layer takes is not known here: it is left out");
    return std::nullopt;
  }
  note("launch-latency",
       text(kLaunchSeconds,
            "since that of this GPU is not known: what an empty kernel that is waited for takes on "
            "a V100 (CSCS, cscs-reframe-tests)"));
  return add(
      {"launch", 1.0 / kLaunchSeconds, "launch/s", Basis::sustained, Origin::assumed, false});
}

// ---- one layer ----

class Clock {
 public:
  Clock(Roofs& roofs, RoofIndex memory, std::optional<RoofIndex> launch, bool allocates)
      : roofs_(roofs), memory_(memory), launch_(launch), allocates_(allocates) {}

  LayerTime time_of(const NetworkLayer& layer) {
    time_ = {};
    slowest_ = -1.0;
    time_.incomplete = !layer.flops || !layer.bytes();
    add_work(layer);
    if (const auto bytes = layer.bytes(); bytes && *bytes > 0) {
      const std::uint64_t crossing = *bytes + (allocates_ ? *layer.written_bytes : 0);
      time_.memory_seconds = static_cast<double>(crossing) / roofs_.rate(memory_);
      consider(*time_.memory_seconds, memory_);
    }
    if (slowest_ >= 0.0) {
      time_.seconds = slowest_;
    } else if (!time_.incomplete) {
      time_.seconds = 0.0;
    }
    add_launch(layer);
    return time_;
  }

 private:
  void add_launch(const NetworkLayer& layer) {
    if (!launch_ || layer.kind == LayerKind::view || layer.kind == LayerKind::constant) {
      return;
    }
    const double seconds = static_cast<double>(layer.repeats) / roofs_.rate(*launch_);
    time_.launch_seconds = seconds;
    time_.seconds = time_.seconds.value_or(0.0) + seconds;
    consider(seconds, *launch_);
  }

  void add_work(const NetworkLayer& layer) {
    const std::uint64_t intops = layer.intops.value_or(0);
    const std::uint64_t products =
        layer.kind == LayerKind::product ? layer.flops.value_or(0) - layer.vector_flops : 0;
    const bool whole_numbers = layer.kind == LayerKind::product && !is_floating(layer.precision);
    if (whole_numbers) {
      add_products(intops, layer.precision);
      add_vector(products, 0, "fp32");  // scales are fp32
    } else {
      add_products(products, layer.precision);
      // Integers beside floats (zero points) have a type of their own.
      add_vector(intops, intops, layer.vector_flops > 0 ? "int32" : layer.precision);
    }
    add_vector(layer.vector_flops, layer.vector_fma_flops,
               whole_numbers ? "fp32" : layer.precision);
  }

  void add_products(std::uint64_t work, const std::string& precision) {
    if (work > 0) {
      const auto roof = roofs_.for_products(precision);
      add(roof, roof ? static_cast<double>(work) / roofs_.rate(*roof) : 0.0);
    }
  }

  void add_vector(std::uint64_t work, std::uint64_t fma, const std::string& precision) {
    if (work > 0) {
      const auto roof = roofs_.for_vectors(precision);
      add(roof, roof ? roofs_.vector_seconds(*roof, work, fma) : 0.0);
    }
  }

  /// Different pipes work at the same time: the slowest decides (docs/contracts.md, section 3).
  void add(std::optional<RoofIndex> roof, double seconds) {
    if (!roof) {
      time_.incomplete = true;
      return;
    }
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
  std::optional<RoofIndex> launch_;
  bool allocates_;
  LayerTime time_;
  double slowest_ = -1.0;
};

double written_share(const Network& network) {
  const NetworkTotals totals = totals_of(network);
  return totals.bytes() > 0
             ? static_cast<double>(totals.written_bytes) / static_cast<double>(totals.bytes())
             : 0.0;
}

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

Result<NetworkTimes> times_of(const Network& network, const TargetMachine& target,
                              const TimeChoices& choices) {
  const Specification& machine = target.figures;
  Roofs roofs(target,
              choices.basis.value_or(target.measured ? Basis::sustained : Basis::theoretical));
  const auto memory = roofs.memory(written_share(network));
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
  for (const std::string& change : target.changes) {
    roofs.note("what-if", fmt::format("what if {}", change));
  }
  const bool allocates = target.write_allocate != WriteAllocate::never;
  if (allocates) {
    roofs.note("write-allocate",
               "stores allocate lines here: outputs are read before they are written, which is in "
               "the time but not in the bytes shown");
  }
  const auto launch = roofs.launch(choices.launch_seconds);
  Clock clock(roofs, *memory, launch, allocates);
  for (const NetworkLayer& layer : network.layers) {
    const LayerTime time = clock.time_of(layer);
    times.seconds += time.seconds.value_or(0.0);
    times.seconds_without_overlap += time.compute_seconds.value_or(0.0) +
                                     time.memory_seconds.value_or(0.0) +
                                     time.launch_seconds.value_or(0.0);
    if (time.launch_seconds) {
      times.launch_seconds = times.launch_seconds.value_or(0.0) + *time.launch_seconds;
    }
    times.incomplete_layers += time.incomplete ? 1 : 0;
    times.layers.push_back(time);
  }
  times.roofs = roofs.take_roofs();
  times.notes = roofs.take_notes();
  return times;
}

}  // namespace ridge::predict
