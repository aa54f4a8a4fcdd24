// Fields of a published machine. A number with a source is a Figure: one line says its key, its
// unit and what it means.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/figures.hpp"
#include "core/value/demand.hpp"
#include "core/value/specification.hpp"

namespace ridge::describe {

/// Ridge neither counts nor simulates what others publish.
inline constexpr std::array<std::string_view, 4> kFigureOrigins{"datasheet", "measured", "modelled",
                                                                "assumed"};
inline constexpr Limits kYear{.least = 1960.0, .most = 2100.0};
inline constexpr std::array<std::string_view, 2> kPeakUnits{"flop/s", "op/s"};

template <>
struct Description<Figure> {
  static constexpr std::string_view name = "Figure";
  static constexpr std::string_view meaning = "a published number with its unit and its source";
  static constexpr auto fields = std::tuple{
      field("value", &Figure::value, "in unit", "", {.limits = kPositive}), stated_unit("unit"),
      field("origin", &Figure::origin, "", "absent: assumed",
            {.absence = Absence::not_in_past, .only = kFigureOrigins}),
      field("source", &Figure::source, "", "a key of sources, where those are given",
            {.non_empty = true}),
      field("verified", &Figure::verified, "",
            "false: quoted from memory, nobody has looked it up; absent: true",
            {.absence = Absence::usual})};
};
static_assert(is_complete<Figure>());

template <>
struct Description<PublishedPeak> {
  static constexpr std::string_view name = "Peak";
  static constexpr std::string_view meaning = "operations per second";
  static std::string_view unit_of(const PublishedPeak& peak) { return rate_unit(peak.precision); }
  static constexpr auto fields = std::tuple{
      field("precision", &PublishedPeak::precision, "",
            "fp64, fp32, tf32, fp16, bf16, fp8: flop/s; int8: op/s", {.non_empty = true}),
      field("pipes", &PublishedPeak::pipes, "", "matrix: tensor cores, MFMA, AMX; absent: vector",
            {.absence = Absence::not_in_past}),
      field("basis", &PublishedPeak::basis, "",
            "theoretical: what the hardware cannot exceed; sustained: what a program reached that "
            "was written to reach it; achieved: what a program drew that something else held "
            "back, no roof; absent: theoretical",
            {.absence = Absence::not_in_past}),
      field("operation", &PublishedPeak::operation, "", "fma, add, gemm; absent: fma",
            {.non_empty = true}),
      inlined(&PublishedPeak::figure, &unit_of, kPeakUnits)};
};
static_assert(is_complete<PublishedPeak>());

template <>
struct Description<PublishedBandwidth> {
  static constexpr std::string_view name = "Bandwidth";
  static constexpr std::string_view meaning = "of one level of the memory hierarchy";
  static constexpr auto fields = std::tuple{
      field("level", &PublishedBandwidth::level, "", ""),
      field("basis", &PublishedBandwidth::basis, "",
            "theoretical: what the hardware cannot exceed; sustained: what a program reached that "
            "was written to reach it; achieved: what a program drew that something else held "
            "back, no roof; absent: theoretical",
            {.absence = Absence::not_in_past}),
      field("pattern", &PublishedBandwidth::pattern, "", "what was run: load, triad ...",
            {.non_empty = true}),
      inlined(&PublishedBandwidth::figure, "byte/s"),
      field("cores", &PublishedBandwidth::cores, "core",
            "that many drew it together; absent: all of the part", {.limits = kAtLeastOne})};
};
static_assert(is_complete<PublishedBandwidth>());

/// What a cache is counted per, where its source says so.
enum class PerUnit { core };
[[nodiscard]] inline std::string_view to_string(PerUnit /*per*/) {
  return "core";
}
template <>
struct Enumerators<PerUnit> {
  static constexpr std::array values{PerUnit::core};
};

template <>
struct Description<PublishedCache> {
  static constexpr std::string_view name = "CacheSize";
  static constexpr std::string_view meaning = "capacity of one cache level";
  static std::optional<PerUnit> per(const bool& per_core) {
    return per_core ? std::optional(PerUnit::core) : std::nullopt;
  }
  static bool is_per_core(const PerUnit& per) { return per == PerUnit::core; }
  static constexpr auto fields =
      std::tuple{field("level", &PublishedCache::level, "", ""),
                 stored_as("per", &PublishedCache::per_core, &per, &is_per_core, "",
                           "absent: as the source counts it, of the chip or of a group of cores"),
                 inlined(&PublishedCache::size, "byte"),
                 field("shared_by_cores", &PublishedCache::shared_by_cores, "core",
                       "that share one instance, whose size the value is; absent: not said",
                       {.limits = kAtLeastOne})};
};
static_assert(is_complete<PublishedCache>());

template <>
struct Description<PublishedMemory> {
  static constexpr std::string_view name = "MemorySize";
  static constexpr std::string_view meaning = "capacity of memory of one kind";
  static constexpr auto fields = std::tuple{field("level", &PublishedMemory::level, "", ""),
                                            inlined(&PublishedMemory::size, "byte")};
};
static_assert(is_complete<PublishedMemory>());

template <>
struct Description<PublishedLatency> {
  static constexpr std::string_view name = "Latency";
  static constexpr std::string_view meaning =
      "of a load that waits for the one before, one core alone";
  static constexpr auto fields =
      std::tuple{field("level", &PublishedLatency::level, "", "stands once"),
                 inlined(&PublishedLatency::figure, "s")};
};
static_assert(is_complete<PublishedLatency>());

/// What the figure of a link is the sum of.
enum class Directions { one, both };
[[nodiscard]] inline std::string_view to_string(Directions directions) {
  return directions == Directions::one ? "one" : "both";
}
template <>
struct Enumerators<Directions> {
  static constexpr std::array values{Directions::one, Directions::both};
};

template <>
struct Description<PublishedLink> {
  static constexpr std::string_view name = "Link";
  static constexpr std::string_view meaning = "a connection to the host or to other devices";
  static Directions directions(const bool& both) {
    return both ? Directions::both : Directions::one;
  }
  static bool is_both(const Directions& directions) { return directions == Directions::both; }
  static constexpr auto fields =
      std::tuple{field("name", &PublishedLink::name, "", "PCIe, NVLink ...", {.non_empty = true}),
                 stored_as("directions", &PublishedLink::both_directions, &directions, &is_both, "",
                           "both: the value is the sum of both directions"),
                 field("generation", &PublishedLink::generation, "", "", {.limits = kAtLeastOne}),
                 inlined(&PublishedLink::figure, "byte/s"),
                 field("lanes", &PublishedLink::lanes, "", "", {.limits = kAtLeastOne}),
                 field("pinned", &PublishedLink::pinned, "byte/s",
                       "what copies from page-locked memory reach, one way"),
                 field("pageable", &PublishedLink::pageable, "byte/s",
                       "what copies from other memory reach, one way")};
};
static_assert(is_complete<PublishedLink>());

/// Energy of an operation or of a byte, in a list: maps of figures are stored so.
struct OperationEnergy {
  std::string precision;
  Figure energy;
};
struct ByteEnergy {
  Level level = Level::DRAM;
  Figure energy;
};

template <>
struct Description<OperationEnergy> {
  static constexpr std::string_view name = "OperationEnergy";
  static constexpr std::string_view meaning = "energy of one floating-point operation";
  static constexpr auto fields = std::tuple{
      field("precision", &OperationEnergy::precision, "", "stands once", {.non_empty = true}),
      inlined(&OperationEnergy::energy, "J/flop")};
};
static_assert(is_complete<OperationEnergy>());

template <>
struct Description<ByteEnergy> {
  static constexpr std::string_view name = "ByteEnergy";
  static constexpr std::string_view meaning = "energy of one byte from a level";
  static constexpr auto fields = std::tuple{field("level", &ByteEnergy::level, "", "stands once"),
                                            inlined(&ByteEnergy::energy, "J/byte")};
};
static_assert(is_complete<ByteEnergy>());

template <class Row, class Name>
[[nodiscard]] std::vector<Row> rows_of(const std::map<Name, Figure>& figures) {
  std::vector<Row> rows;
  for (const auto& [name, figure] : figures) {
    rows.push_back({name, figure});
  }
  return rows;
}

template <class Row, class Name, Name Row::* name>
[[nodiscard]] std::map<Name, Figure> by_name(const std::vector<Row>& rows) {
  std::map<Name, Figure> figures;
  for (const Row& row : rows) {
    figures.emplace(row.*name, row.energy);
  }
  return figures;
}

template <>
struct Description<PublishedEnergy> {
  static constexpr std::string_view name = "Energy";
  static constexpr std::string_view meaning = "for the energy roofline";
  static constexpr auto fields = std::tuple{
      stored_as("per_flop", &PublishedEnergy::per_flop, &rows_of<OperationEnergy, std::string>,
                &by_name<OperationEnergy, std::string, &OperationEnergy::precision>, "", "",
                {.absence = Absence::empty}),
      stored_as("per_byte", &PublishedEnergy::per_byte, &rows_of<ByteEnergy, Level>,
                &by_name<ByteEnergy, Level, &ByteEnergy::level>, "", "",
                {.absence = Absence::empty}),
      field("constant_power", &PublishedEnergy::constant_power, "W", "drawn whatever runs")};
};
static_assert(is_complete<PublishedEnergy>());

/// Of a ridge point.
enum class IntensityUnit { flops_per_byte, operations_per_byte };
[[nodiscard]] inline std::string_view to_string(IntensityUnit unit) {
  return unit == IntensityUnit::flops_per_byte ? "flop/byte" : "op/byte";
}
template <>
struct Enumerators<IntensityUnit> {
  static constexpr std::array values{IntensityUnit::flops_per_byte,
                                     IntensityUnit::operations_per_byte};
};

template <>
struct Description<RidgePoint> {
  static constexpr std::string_view name = "RidgePoint";
  static constexpr std::string_view meaning =
      "machine balance: peak over the bandwidth of the main memory, both of one basis";
  static IntensityUnit unit(const RidgePoint& point) {
    return rate_unit(point.precision) == "op/s" ? IntensityUnit::operations_per_byte
                                                : IntensityUnit::flops_per_byte;
  }
  static std::optional<unsigned> word_size(const RidgePoint& point) {
    return element_bytes(point.precision);
  }
  static std::optional<double> per_word(const RidgePoint& point) {
    const auto word = element_bytes(point.precision);
    return word ? std::optional(point.intensity * *word) : std::nullopt;
  }
  static constexpr auto fields =
      std::tuple{field("precision", &RidgePoint::precision, "", "", {.non_empty = true}),
                 field("pipes", &RidgePoint::pipes, "", ""),
                 field("basis", &RidgePoint::basis, "", ""),
                 field("level", &RidgePoint::level, "", "the main memory"),
                 field("intensity", &RidgePoint::intensity, "in unit", "", {.limits = kPositive}),
                 derived("unit", &unit, "", "op/byte: of integers"),
                 derived("word_size", &word_size, "byte", "of one number of this precision"),
                 derived("per_word", &per_word, "", "intensity x word_size: flop or op per word")};
};
static_assert(is_complete<RidgePoint>());

template <>
struct Description<BytesInFlight> {
  static constexpr std::string_view name = "BytesInFlight";
  static constexpr std::string_view meaning =
      "Little's law: what must be on its way to draw the bandwidth, latency x bandwidth; at least, "
      "because the latency is that of one load alone";
  static std::optional<double> lines(const BytesInFlight& entry) {
    return in_lines(entry, entry.bytes);
  }
  static std::optional<double> lines_per_core(const BytesInFlight& entry) {
    return in_lines(entry, entry.per_core);
  }
  static std::optional<double> one_core_lines(const BytesInFlight& entry) {
    return in_lines(entry, entry.one_core);
  }
  static std::optional<double> in_lines(const BytesInFlight& entry, std::optional<double> bytes) {
    return bytes && entry.line_size ? std::optional(*bytes / *entry.line_size) : std::nullopt;
  }
  static constexpr auto fields = std::tuple{
      field("level", &BytesInFlight::level, "", ""),
      field("basis", &BytesInFlight::basis, "", "of the bandwidth"),
      field("latency", &BytesInFlight::latency, "s", "", {.limits = kPositive}),
      field("bandwidth", &BytesInFlight::bandwidth, "byte/s", "of all cores",
            {.limits = kPositive}),
      field("bytes", &BytesInFlight::bytes, "byte", "of all cores", {.limits = kPositive}),
      derived("lines", &lines, "", "of line_size"),
      field("bytes_per_core", &BytesInFlight::per_core, "byte", "where all cores draw evenly",
            {.limits = kPositive}),
      derived("lines_per_core", &lines_per_core, "", ""),
      field("one_core_bytes", &BytesInFlight::one_core, "byte",
            "latency x bandwidth of one core that draws alone", {.limits = kPositive}),
      derived("one_core_lines", &one_core_lines, "", ""),
      field("line_size", &BytesInFlight::line_size, "byte", "", {.limits = kPositive})};
};
static_assert(is_complete<BytesInFlight>());

template <>
struct Description<Specification> {
  static constexpr std::string_view name = "Specification";
  static constexpr std::string_view meaning =
      "what is published about a machine; name, peaks and bandwidths suffice, and figures that "
      "contradict each other are refused";
  static std::vector<RidgePoint> points(const Specification& machine) {
    return ridge_points(machine);
  }
  static std::vector<BytesInFlight> in_flight(const Specification& machine) {
    return bytes_in_flight(machine);
  }
  static constexpr auto fields = std::tuple{
      implied(&Specification::key),
      field("name", &Specification::name, "", "", {.non_empty = true}),
      field("kind", &Specification::kind, "", "absent: cpu", {.absence = Absence::not_in_past}),
      field("year", &Specification::year, "", "in which the part came out", {.limits = kYear}),
      field("microarchitecture", &Specification::microarchitecture, "",
            "its name in machines/microarchitectures.json; absent: its pipes are not known",
            {.non_empty = true}),
      field("sockets", &Specification::sockets, "",
            "of a node at most; all figures are of one of them", {.limits = kAtLeastOne}),
      field("cores", &Specification::cores, "core",
            "of one socket; multiprocessors or compute units of a GPU"),
      field("clock", &Specification::clock, "Hz", "base clock"),
      field("boost_clock", &Specification::boost_clock, "Hz", "highest clock of one core"),
      field("fp64_flops_per_cycle_and_core", &Specification::fp64_flops_per_cycle_and_core,
            "flop/cycle", ""),
      field("caches", &Specification::caches, "", "", {.absence = Absence::empty}),
      field("line_size", &Specification::line_size, "byte",
            "that move together between caches and memory"),
      field("registers", &Specification::registers, "byte", "the register file of one core"),
      field("shared_memory", &Specification::shared_memory, "byte",
            "of one core, managed by the program: GPUs"),
      field("memories", &Specification::memories, "", "", {.absence = Absence::empty}),
      field("peaks", &Specification::peaks, "", "at least one", {.least_items = 1}),
      field("bandwidths", &Specification::bandwidths, "",
            "at least one of a memory: DRAM, HBM, CXL or NVRAM", {.least_items = 1}),
      field("latencies", &Specification::latencies, "", "", {.absence = Absence::empty}),
      field("links", &Specification::links, "", "", {.absence = Absence::empty}),
      field("launch_latency", &Specification::launch_latency, "s",
            "from the call of an empty kernel to its end"),
      field("thermal_design_power", &Specification::thermal_design_power, "W", ""),
      field("fma_shares_pipe", &Specification::fma_shares_pipe, "",
            "add, mul and fma share one pipe: code with a share f of fma reaches (1 + f) / 2 of "
            "the fma peak; absent: not known (GPUs: true)"),
      field("energy", &Specification::energy, "", "", {.absence = Absence::empty}),
      field("notes", &Specification::notes, "", "", {.absence = Absence::empty, .non_empty = true}),
      field("sources", &Specification::sources, "",
            "what the keys stand for that figures name as their source",
            {.absence = Absence::empty, .non_empty = true}),
      derived("ridge_points", &points, "", "of every precision and kind of pipes", kAny, true),
      derived("in_flight", &in_flight, "", "of every level whose latency is known", kAny, true)};
};
static_assert(is_complete<Specification>());

template <>
struct Enumerators<Lack> {
  static constexpr std::array values{Lack::sustained_bandwidth, Lack::latency,
                                     Lack::one_core_bandwidth,  Lack::cache_bandwidth,
                                     Lack::microarchitecture,   Lack::launch_latency,
                                     Lack::host_link,           Lack::design_power};
};

template <>
struct Description<FigureCount> {
  static constexpr std::string_view name = "FigureCount";
  static constexpr std::string_view meaning = "how many figures a machine has";
  static constexpr auto fields = std::tuple{
      field("all", &FigureCount::all, "", ""),
      field("unverified", &FigureCount::unverified, "", "quoted from memory: verified is false")};
};
static_assert(is_complete<FigureCount>());

/// Every figure of a machine, wherever the list of fields has one.
[[nodiscard]] inline FigureCount count_figures(const Specification& machine) {
  FigureCount count;
  for_each_figure(machine, [&](const Figure& figure) {
    ++count.all;
    count.unverified += figure.verified ? 0U : 1U;
  });
  return count;
}

template <>
struct Description<ListedMachine> {
  static constexpr std::string_view name = "ListedMachine";
  static constexpr std::string_view meaning =
      "a published machine with its key and what is not known of it";
  static std::string key(const ListedMachine& machine) { return machine.key; }
  static std::vector<Lack> missing(const ListedMachine& machine) { return lacks(machine); }
  static FigureCount figures(const ListedMachine& machine) { return count_figures(machine); }
  static constexpr auto fields =
      std::tuple{derived("key", &key, "", "name for --on"), part<Specification>(),
                 derived("lacks", &missing, "",
                         "of the figures by which such machines are compared", kAny, true),
                 derived("figures", &figures, "", "")};
};
static_assert(is_complete<ListedMachine>());

template <>
struct Description<MachineList> {
  static constexpr std::string_view name = "MachineList";
  static constexpr std::string_view meaning = "all published machines that Ridge knows";
  static constexpr auto fields =
      std::tuple{field("machines", &MachineList::machines, "", "in ascending keys")};
};
static_assert(is_complete<MachineList>());

}  // namespace ridge::describe
