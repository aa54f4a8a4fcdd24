// Fields of a neural network and of its times on machines.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/network.hpp"

namespace ridge::describe {

template <>
struct Enumerators<LayerKind> {
  static constexpr std::array values{
      LayerKind::product, LayerKind::elementwise, LayerKind::reduction, LayerKind::movement,
      LayerKind::view,    LayerKind::constant,    LayerKind::unknown};
};

/// Of counts that follow from shapes: a double holds each of them.
inline constexpr Limits kShapeCount{.least = 0.0, .most = 0x1p53};
inline constexpr std::array<std::string_view, 4> kRateUnits{"flop/s", "op/s", "byte/s", "launch/s"};
inline constexpr std::string_view kEachTensorOnce = "that the tensors have, each counted once";

template <>
struct Description<NetworkLayer> {
  static constexpr std::string_view name = "NetworkLayer";
  static constexpr std::string_view meaning = "one operator, or several that run fused";
  using L = NetworkLayer;
  static constexpr auto fields = std::tuple{
      field("name", &L::name, "", ""),
      field("operation", &L::operation, "",
            "with the domain in front, except for the standard one"),
      field("kind", &L::kind, "", ""),
      field("fused", &L::fused, "", "operations that run inside this layer",
            {.absence = Absence::empty}),
      field("precision", &L::precision, "", "of its arithmetic", {.absence = Absence::empty}),
      field("flops", &L::flops, "flop", "absent: not known", {.limits = kShapeCount}),
      field("intops", &L::intops, "intop", "absent: not known", {.limits = kShapeCount}),
      field("calls", &L::calls, "", "of the math library, by name; counted 0 flop",
            {.limits = kShapeCount}),
      group("bytes", kEachTensorOnce, Presence::always,
            field("weights", &L::weight_bytes, "byte", "absent: a shape or type is not known",
                  {.limits = kShapeCount}),
            field("read", &L::read_bytes, "byte", "inputs that are no weights",
                  {.limits = kShapeCount}),
            field("written", &L::written_bytes, "byte", "outputs", {.limits = kShapeCount})),
      implied(&L::output_shape),
      implied(&L::vector_flops),
      implied(&L::vector_fma_flops),
      implied(&L::repeats),
      derived("intensity", &intensity_of, "flop/byte", "op/byte where integers prevail", kPositive),
      field("formula", &L::formula, "", "of the work", {.absence = Absence::empty}),
      field("remarks", &L::remarks, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<NetworkLayer>());

template <>
struct Description<NetworkTotals> {
  static constexpr std::string_view name = "NetworkTotals";
  static constexpr std::string_view meaning = "sums over the layers of what is known";
  using T = NetworkTotals;
  static constexpr auto fields = std::tuple{
      field("flops", &T::flops, "flop", "", {.limits = kShapeCount}),
      field("intops", &T::intops, "intop", "", {.limits = kShapeCount}),
      field("calls", &T::calls, "", "of the math library, by name; counted 0 flop",
            {.limits = kShapeCount}),
      group(
          "bytes", kEachTensorOnce, Presence::always,
          field("weights", &T::weight_bytes, "byte",
                "as the layers read them; a shared weight counts at each", {.limits = kShapeCount}),
          field("read", &T::read_bytes, "byte", "inputs that are no weights",
                {.limits = kShapeCount}),
          field("written", &T::written_bytes, "byte", "outputs", {.limits = kShapeCount})),
      field("layers_without_flops", &T::without_flops, "", "whose work is not known",
            {.limits = kShapeCount}),
      field("layers_without_bytes", &T::without_bytes, "", "whose bytes are not known",
            {.limits = kShapeCount})};
};
static_assert(is_complete<NetworkTotals>());

template <>
struct Description<NetworkRoof> {
  static constexpr std::string_view name = "NetworkRoof";
  static constexpr std::string_view meaning = "a roof that layers were held against";
  static constexpr auto fields =
      std::tuple{field("name", &NetworkRoof::name, "", "fp16 matrix, HBM, launch ..."),
                 field("value", &NetworkRoof::rate, "in unit", "", {.limits = kPositive}),
                 field("unit", &NetworkRoof::unit, "", "", {.words = kRateUnits}),
                 field("basis", &NetworkRoof::basis, "", ""),
                 field("origin", &NetworkRoof::origin, "", ""),
                 field("verified", &NetworkRoof::verified, "",
                       "false: quoted from memory, nobody has looked it up; absent: somebody has",
                       {.absence = Absence::usual})};
};
static_assert(is_complete<NetworkRoof>());

template <>
struct Description<LayerTime> {
  static constexpr std::string_view name = "LayerTime";
  static constexpr std::string_view meaning = "the time that the roofs allow a layer";
  static constexpr auto fields = std::tuple{
      field("compute_seconds", &LayerTime::compute_seconds, "s",
            "absent: no work, or no roof for it", {.limits = kNotNegative}),
      field("memory_seconds", &LayerTime::memory_seconds, "s", "", {.limits = kNotNegative}),
      field("launch_seconds", &LayerTime::launch_seconds, "s",
            "to start its kernel; absent: costs nothing here", {.limits = kNotNegative}),
      field("seconds", &LayerTime::seconds, "s",
            "the larger of work and memory, and the launch; a lower bound when incomplete",
            {.limits = kNotNegative}),
      implied(&LayerTime::bound),
      beside<std::optional<std::string>>("bound", "", "name of the roof"),
      field("incomplete", &LayerTime::incomplete, "", "flops, bytes or a roof are not known",
            {.absence = Absence::empty})};
};
static_assert(is_complete<LayerTime>());

template <>
struct Description<NetworkTimes> {
  static constexpr std::string_view name = "NetworkTimes";
  static constexpr std::string_view meaning = "the network on one machine";
  using T = NetworkTimes;
  static constexpr auto fields = std::tuple{
      field("machine", &T::machine, "", "its key", {.non_empty = true}),
      field("name", &T::machine_name, "", ""),
      field("roofs", &T::roofs, "", "", {.least_items = 1}),
      field("seconds", &T::seconds, "s",
            "sum over the layers, work and traffic of each overlapped; launches are in it",
            {.limits = kNotNegative}),
      field("seconds_without_overlap", &T::seconds_without_overlap, "s",
            "sum over the layers of work and traffic one after the other",
            {.limits = kNotNegative}),
      field("launch_seconds", &T::launch_seconds, "s",
            "of both sums: starting kernels; absent: costs nothing here", {.limits = kNotNegative}),
      field("incomplete_layers", &T::incomplete_layers, "",
            "when there are any, the sums are lower bounds", {.limits = kShapeCount}),
      field("layers", &T::layers, "", "one per layer of the network, same order"),
      field("notes", &T::notes, "", "")};
};
static_assert(is_complete<NetworkTimes>());

/// Where the figures of a network come from: all of them from its shapes.
struct NetworkOrigins {
  Origin work = Origin::modelled;
  Origin bytes = Origin::modelled;
  Origin seconds = Origin::modelled;
};

template <>
struct Description<NetworkOrigins> {
  static constexpr std::string_view name = "NetworkOrigins";
  static constexpr std::string_view meaning = "where figures come from";
  static constexpr auto fields = std::tuple{field("work", &NetworkOrigins::work, "", ""),
                                            field("bytes", &NetworkOrigins::bytes, "", ""),
                                            field("seconds", &NetworkOrigins::seconds, "", "")};
};
static_assert(is_complete<NetworkOrigins>());

template <>
struct Description<Network> {
  static constexpr std::string_view name = "Network";
  static constexpr std::string_view meaning = "a neural network layer by layer";
  static NetworkOrigins origins(const Network& /*network*/) { return {}; }
  static constexpr auto fields = std::tuple{
      field("name", &Network::name, "", "of the model"),
      field("precision", &Network::precision, "", "asked for; absent: as the model has it",
            {.absence = Absence::empty}),
      field("fused", &Network::fused, "", "element-wise operations run inside their producers"),
      derived("origins", &origins, "", ""),
      field("weight_bytes", &Network::weight_bytes, "byte",
            "of all distinct weights that layers read, whole", {.limits = kShapeCount}),
      derived("totals", &totals_of, "", "of what is known"),
      field("layers", &Network::layers, "", "in the order in which they run"),
      beside<std::vector<NetworkTimes>>("machines", "", "its times on machines"),
      field("notes", &Network::notes, "", "")};
};
static_assert(is_complete<Network>());

}  // namespace ridge::describe
