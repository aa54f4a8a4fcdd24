// Fields of what machines need for a demand, and of the catalogue of kernels.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/kernel_prediction.hpp"

namespace ridge::describe {

template <>
struct Enumerators<Overlap> {
  static constexpr std::array values{Overlap::compute, Overlap::data, Overlap::none};
};

template <>
struct Enumerators<RoofStanding> {
  static constexpr std::array values{RoofStanding::above_roof, RoofStanding::near_roof,
                                     RoofStanding::in_interval, RoofStanding::below};
};

/// Of counts that are computed: a double holds each of them.
inline constexpr Limits kComputedCount{.least = 0.0, .most = 0x1p53};
inline constexpr Limits kComputedCountAboveZero{.least = 1.0, .most = 0x1p53};
inline constexpr FieldOptions kIfAny{.limits = kComputedCountAboveZero, .absence = Absence::usual};
inline constexpr std::array<std::string_view, 3> kWorkUnits{"flop", "op", "byte"};
inline constexpr std::array<std::string_view, 4> kAmountUnits{"flop", "op", "byte", "launch"};

template <>
struct Description<OperationCounts> {
  static constexpr std::string_view name = "OperationCounts";
  static constexpr std::string_view meaning = "work by kind of operation; a kind without any: 0";
  static std::uint64_t flops(const OperationCounts& work) { return work.flops(); }
  static constexpr auto fields = std::tuple{
      derived("flops", &flops, "flop", "in all (op with an integer precision); fma counts 2",
              kComputedCount),
      field("add", &OperationCounts::add, "flop", "and sub", kIfAny),
      field("mul", &OperationCounts::mul, "flop", "", kIfAny),
      field("fma", &OperationCounts::fma, "flop", "twice the instructions", kIfAny),
      field("div", &OperationCounts::div, "flop", "", kIfAny),
      field("sqrt", &OperationCounts::sqrt, "flop", "", kIfAny),
      field("any", &OperationCounts::any, "flop", "whose kind is not known", kIfAny),
      field("other", &OperationCounts::other, "", "maxima, comparisons, calls of exp: 0 flop each",
            kIfAny),
      field("intops", &OperationCounts::intops, "intop", "integer operations on data", kIfAny)};
};
static_assert(is_complete<OperationCounts>());

template <>
struct Description<StreamTraffic> {
  static constexpr std::string_view name = "StreamTraffic";
  static constexpr std::string_view meaning = "bytes that cross one boundary";
  static constexpr auto fields =
      std::tuple{field("read", &StreamTraffic::read, "byte", "", {.limits = kComputedCount}),
                 field("written", &StreamTraffic::written, "byte", "", {.limits = kComputedCount}),
                 field("allocate", &StreamTraffic::allocate, "byte",
                       "read only because of write-allocate", {.limits = kComputedCount})};
};
static_assert(is_complete<StreamTraffic>());

template <>
struct Description<DemandRatio> {
  static constexpr std::string_view name = "DemandRatio";
  static constexpr std::string_view meaning = "work and least traffic in relation";
  static constexpr auto fields = std::tuple{
      field("least", &DemandRatio::least, "", "without write-allocate", {.limits = kPositive}),
      field("write_allocate", &DemandRatio::write_allocate, "", "with it", {.limits = kPositive})};
};
static_assert(is_complete<DemandRatio>());

template <>
struct Description<Demand> {
  static constexpr std::string_view name = "Demand";
  static constexpr std::string_view meaning = "what a computation asks of any machine";
  static std::optional<DemandRatio> intensity(const Demand& demand) { return intensity_of(demand); }
  static std::optional<DemandRatio> balance(const Demand& demand) { return balance_of(demand); }
  static constexpr auto fields = std::tuple{
      implied(&Demand::name),
      implied(&Demand::precision),
      field("work", &Demand::work, "", ""),
      field("traffic", &Demand::least, "byte", "least: every datum crosses once"),
      derived("intensity", &intensity, "flop/byte", "absent without work, and without traffic"),
      derived("balance", &balance, "byte/flop", "absent without work, and without traffic"),
      implied(&Demand::matrix)};
};
static_assert(is_complete<Demand>());

template <>
struct Description<ResourceTime> {
  static constexpr std::string_view name = "ResourceTime";
  static constexpr std::string_view meaning = "what one resource needs";
  static constexpr auto fields = std::tuple{
      field("resource", &ResourceTime::resource, "", "compute, a level, a link or launch",
            {.non_empty = true}),
      field("unit", &ResourceTime::unit, "", "of the amount", {.words = kAmountUnits}),
      field("amount", &ResourceTime::amount, "in unit", "", {.limits = kNotNegative}),
      field("rate", &ResourceTime::rate, "in unit/s", "", {.limits = kPositive}),
      field("latency", &ResourceTime::latency, "s", "once; absent: 0",
            {.limits = kPositive, .absence = Absence::usual}),
      field("seconds", &ResourceTime::seconds, "s", "amount / rate + latency",
            {.limits = kNotNegative}),
      field(
          "overlap", &ResourceTime::overlap, "",
          "compute: beside everything; data: ECM, one transfer after the other; none: waited for"),
      field("rate_name", &ResourceTime::rate_name, "", "which peak, bandwidth or ceiling it is",
            {.non_empty = true}),
      field("basis", &ResourceTime::basis, "", "of the rate"),
      field("origin", &ResourceTime::origin, "", "of the rate"),
      field("source", &ResourceTime::source, "", "of the rate", {.non_empty = true}),
      field("verified", &ResourceTime::verified, "",
            "false: nobody has looked the figure up; absent: somebody has",
            {.absence = Absence::usual}),
      field("intensity", &ResourceTime::intensity, "unit of work/byte", "absent without work",
            {.limits = kPositive}),
      field("roof", &ResourceTime::roof, "unit of work/s", "intensity x rate, or the compute rate",
            {.limits = kPositive}),
      field("ridge_point", &ResourceTime::ridge_point, "unit of work/byte",
            "of a level: the intensity at which arithmetic takes as long", {.limits = kPositive}),
      field("cache_aware_roof", &ResourceTime::cache_aware_roof, "unit of work/s",
            "with --cache-aware: min(peak, intensity of registers-L1 x rate)",
            {.limits = kPositive}),
      field("used", &ResourceTime::used, "",
            "of the rate that a measured run reached: seconds over the measured time",
            {.limits = kNotNegative})};
};
static_assert(is_complete<ResourceTime>());

template <>
struct Description<EnergyPrediction> {
  static constexpr std::string_view name = "EnergyPrediction";
  static constexpr std::string_view meaning = "energy over the time of full overlap";
  static constexpr auto fields = std::tuple{
      field("joules", &EnergyPrediction::joules, "J", "", {.limits = kPositive}),
      field("dynamic_joules", &EnergyPrediction::dynamic_joules, "J", "without the constant power",
            {.limits = kNotNegative}),
      field("watts", &EnergyPrediction::watts, "W", "mean over that time", {.limits = kPositive}),
      field("flops_per_joule", &EnergyPrediction::flops_per_joule, "flop/J", "",
            {.limits = kPositive})};
};
static_assert(is_complete<EnergyPrediction>());

template <>
struct Description<Solved> {
  static constexpr std::string_view name = "Solved";
  static constexpr std::string_view meaning = "the answer to an inverse question";
  static constexpr auto fields =
      std::tuple{field("quantity", &Solved::quantity, "", "alpha, DRAM bandwidth, time ...",
                       {.non_empty = true}),
                 field("value", &Solved::value, "in unit", "", {.limits = kNotNegative}),
                 field("unit", &Solved::unit, "", "empty: a number")};
};
static_assert(is_complete<Solved>());

template <>
struct Description<MeasuredTime> {
  static constexpr std::string_view name = "MeasuredTime";
  static constexpr std::string_view meaning =
      "a measured time against the interval between full overlap and none";
  static constexpr auto fields = std::tuple{
      field("seconds", &MeasuredTime::seconds, "s", "", {.limits = kPositive}),
      field("performance", &MeasuredTime::performance, "unit of work/s", "work / seconds",
            {.limits = kNotNegative}),
      field("share", &MeasuredTime::share, "", "of what is attainable: full_overlap / seconds",
            {.limits = kNotNegative}),
      field("standing", &MeasuredTime::standing, "",
            "above_roof: shorter than full overlap allows; near_roof: at most a quarter longer; "
            "in_interval: no longer than without overlap; below: longer than that"),
      field("text", &MeasuredTime::sentence, "", "the same in words, with what follows from it")};
};
static_assert(is_complete<MeasuredTime>());

/// A time by an expression of --overlap.
struct ExpressedTime {
  std::string expression;
  double seconds = 0.0;
};

template <>
struct Description<ExpressedTime> {
  static constexpr std::string_view name = "ExpressedTime";
  static constexpr std::string_view meaning = "the time by the expression of --overlap";
  static constexpr auto fields =
      std::tuple{field("expression", &ExpressedTime::expression, "", "", {.non_empty = true}),
                 field("seconds", &ExpressedTime::seconds, "s", "", {.limits = kNotNegative})};
};
static_assert(is_complete<ExpressedTime>());

template <>
struct Description<ResourcePrediction> {
  static constexpr std::string_view name = "ResourcePrediction";
  static constexpr std::string_view meaning = "the kernel on one machine";
  using P = ResourcePrediction;
  static std::optional<std::string> named(const P& prediction,
                                          const std::optional<std::size_t>& index) {
    return index ? std::optional(prediction.resources[*index].resource) : std::nullopt;
  }
  static std::optional<std::string> binding(const P& prediction) {
    return named(prediction, prediction.binding);
  }
  static std::optional<std::string> next(const P& prediction) {
    return named(prediction, prediction.next);
  }
  static std::optional<ExpressedTime> combined(const P& prediction) {
    return prediction.combined_seconds
               ? std::optional(ExpressedTime{prediction.combination, *prediction.combined_seconds})
               : std::nullopt;
  }
  static constexpr auto fields = std::tuple{
      field("machine", &P::machine, "", "its key", {.non_empty = true}),
      field("name", &P::machine_name, "", "", {.non_empty = true}),
      field("missing", &P::missing, "", "why there is no prediction: \"no fp16 peak known\"",
            {.non_empty = true}),
      field("unit", &P::unit, "", "of work; byte: there is no work", {.words = kWorkUnits}),
      field("work", &P::work, "in unit", "", {.limits = kNotNegative}),
      group("seconds", "how long it takes: full_overlap <= ecm <= no_overlap",
            Presence::all_or_none,
            field("full_overlap", &P::seconds, "s", "the largest time of a resource",
                  {.limits = kPositive}),
            field("ecm", &P::ecm_seconds, "s",
                  "arithmetic beside all transfers, which come one after the other",
                  {.limits = kPositive}),
            field("no_overlap", &P::sum_seconds, "s", "the sum", {.limits = kPositive})),
      field("attainable", &P::attainable, "in unit/s", "work / full_overlap",
            {.limits = kPositive}),
      field("attainable_without_overlap", &P::attainable_without_overlap, "in unit/s",
            "work / no_overlap", {.limits = kPositive}),
      implied(&P::binding),
      implied(&P::next),
      derived("binding", &binding, "", "the resource with the largest time", kAny, true),
      derived("next", &next, "", "the resource with the second largest", kAny, true),
      field("resources", &P::resources, "",
            "compute first, then levels inner to outer, then links"),
      implied(&P::combination),
      implied(&P::combined_seconds),
      derived("combined", &combined, "", "with --overlap"),
      field("measured", &P::measured, "", "where a time was given"),
      field("solved", &P::solved, "", "what was asked for of this machine"),
      field("speedup", &P::speedup, "", "times as fast as the machine that others refer to",
            {.limits = kPositive}),
      field("unbounded", &P::unbounded, "",
            "compute, levels or memory that carry something here and whose rate is not known: they "
            "may bind",
            {.absence = Absence::empty}),
      field("common_seconds", &P::common_seconds, "s",
            "full overlap of what every machine of the table bounds; absent: one machine",
            {.limits = kPositive}),
      field("rank", &P::rank, "", "by common_seconds, 1: the shortest", {.limits = kAtLeastOne}),
      field("energy", &P::energy, "", "where joules are known"),
      field("notes", &P::notes, "", "")};
};
static_assert(is_complete<ResourcePrediction>());

template <>
struct Description<KernelPrediction::BelowCache> {
  static constexpr std::string_view name = "TrafficBelowCache";
  static constexpr std::string_view meaning = "traffic below a cache of this size";
  using BelowCache = KernelPrediction::BelowCache;
  static constexpr auto fields =
      std::tuple{field("cache_bytes", &BelowCache::cache_bytes, "byte", "", {.limits = kPositive}),
                 inlined(&BelowCache::traffic)};
};
static_assert(is_complete<KernelPrediction::BelowCache>());

/// What the time that was given says without any machine.
struct MeasuredRun {
  double seconds = 0.0;
  std::optional<double> performance;
  std::optional<double> throughput;
};

template <>
struct Description<MeasuredRun> {
  static constexpr std::string_view name = "MeasuredRun";
  static constexpr std::string_view meaning = "the time that was given, and the rates that follow";
  static constexpr auto fields =
      std::tuple{field("seconds", &MeasuredRun::seconds, "s", "", {.limits = kPositive}),
                 field("performance", &MeasuredRun::performance, "flop/s", "absent without work",
                       {.limits = kPositive}),
                 field("throughput", &MeasuredRun::throughput, "byte/s",
                       "of the least traffic; absent without any", {.limits = kPositive})};
};
static_assert(is_complete<MeasuredRun>());

template <>
struct Description<KernelPrediction> {
  static constexpr std::string_view name = "Prediction";
  static constexpr std::string_view meaning =
      "a kernel of the catalogue, or a computation by its figures, on machines";
  using Parameters = std::vector<std::pair<std::string, double>>;
  static std::string kernel_name(const KernelPrediction& made) { return made.kernel.name; }
  static std::string source(const KernelPrediction& made) { return made.kernel.source; }
  static std::string precision(const KernelPrediction& made) { return made.demand.precision; }
  static std::optional<MeasuredRun> measured(const KernelPrediction& made) {
    if (!made.measured_seconds) {
      return std::nullopt;
    }
    const auto rate = [&](std::uint64_t amount) {
      return amount > 0 ? std::optional(static_cast<double>(amount) / *made.measured_seconds)
                        : std::nullopt;
    };
    return MeasuredRun{*made.measured_seconds, rate(made.demand.work.flops()),
                       rate(made.demand.least.total(false))};
  }
  static Origin origin(const KernelPrediction& /*made*/) { return Origin::modelled; }
  static Parameters parameters(const KernelPrediction& made) {
    Parameters named;
    for (const KernelPrediction::Value& parameter : made.parameters) {
      named.emplace_back(parameter.name, parameter.value);
    }
    return named;
  }
  static constexpr auto fields = std::tuple{
      group("kernel", "the kernel, and what it asks of any machine",
            implied(&KernelPrediction::kernel),
            derived("name", &kernel_name, "", "in the catalogue"),
            derived("precision", &precision, "", "of the arithmetic"),
            implied(&KernelPrediction::parameters),
            derived("parameters", &parameters, "", "by name, as given or by default"),
            inlined(&KernelPrediction::demand),
            field("traffic_by_cache", &KernelPrediction::by_cache, "byte",
                  "sizes at which it changes; absent: no formula", {.absence = Absence::empty}),
            field("unit_work", &KernelPrediction::unit_work, "flop",
                  "no amounts were given, only ratios: the times are those of this much work",
                  {.limits = kPositive}),
            implied(&KernelPrediction::measured_seconds),
            derived("measured", &measured, "", "where a time was given"),
            field("solved", &KernelPrediction::solved, "", "the parameter that was asked for"),
            derived("origin", &origin, "", "of work and traffic"),
            derived("source", &source, "", "of the formulas")),
      field("machines", &KernelPrediction::machines, "", "")};
};
static_assert(is_complete<KernelPrediction>());

template <>
struct Description<KernelPredictions> {
  static constexpr std::string_view name = "Predictions";
  static constexpr std::string_view meaning = "several kernels, each on machines";
  static constexpr auto fields = std::tuple{field("predictions", &KernelPredictions::predictions,
                                                  "", "in the order of the command line")};
};
static_assert(is_complete<KernelPredictions>());

template <>
struct Description<KernelText::Parameter> {
  static constexpr std::string_view name = "KernelParameter";
  static constexpr std::string_view meaning = "a size of a kernel";
  using Parameter = KernelText::Parameter;
  static constexpr auto fields = std::tuple{
      field("name", &Parameter::name, "", "", {.non_empty = true}),
      field("meaning", &Parameter::meaning, "", "", {.non_empty = true}),
      field("default", &Parameter::fallback, "",
            "a number, another parameter, a quotient of two, or e; absent: must be given",
            {.non_empty = true})};
};
static_assert(is_complete<KernelText::Parameter>());

template <>
struct Description<KernelText> {
  static constexpr std::string_view name = "Kernel";
  static constexpr std::string_view meaning =
      "one entry; formulas are texts, traffic in byte, e = bytes of an element";
  static constexpr auto fields =
      std::tuple{field("name", &KernelText::name, "", "", {.non_empty = true}),
                 field("summary", &KernelText::summary, "", "", {.non_empty = true}),
                 field("parameters", &KernelText::parameters, "", ""),
                 field("work", &KernelText::work, "", "formula", {.non_empty = true}),
                 field("traffic", &KernelText::traffic, "", "formula of the least traffic",
                       {.non_empty = true}),
                 field("cache", &KernelText::cache, "",
                       "formula of the traffic below a smaller cache", {.non_empty = true}),
                 field("source", &KernelText::source, "", "", {.non_empty = true})};
};
static_assert(is_complete<KernelText>());

template <>
struct Description<KernelCatalogue> {
  static constexpr std::string_view name = "KernelCatalogue";
  static constexpr std::string_view meaning = "the catalogue of kernels";
  static constexpr auto fields = std::tuple{field("kernels", &KernelCatalogue::kernels, "", "")};
};
static_assert(is_complete<KernelCatalogue>());

}  // namespace ridge::describe
