// Fields of what a roofline chart shows.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/roofline_chart.hpp"

namespace ridge::describe {

template <>
struct Enumerators<RooflineKind> {
  static constexpr std::array values{RooflineKind::roof, RooflineKind::isa, RooflineKind::no_fma,
                                     RooflineKind::no_simd, RooflineKind::one_core};
};

template <>
struct Description<RooflineLine> {
  static constexpr std::string_view name = "Line";
  static constexpr std::string_view meaning = "P = rate, or with a level P = intensity x rate";
  static constexpr auto fields = std::tuple{
      field("kind", &RooflineLine::kind, "",
            "roof: the highest of its precision or level; else what holds code down: one "
            "instruction set, no fma, no SIMD, one core"),
      field("level", &RooflineLine::level, "", "of a bandwidth; absent: a compute rate"),
      field("precision", &RooflineLine::precision, "", "of a compute rate", {.non_empty = true}),
      field("pipes", &RooflineLine::pipes, "", "of a compute rate"),
      field("isa", &RooflineLine::isa, "", "where the line is that of one instruction set"),
      field("words", &RooflineLine::words, "", "as the picture names it", {.non_empty = true}),
      field("rate", &RooflineLine::rate, "", "byte/s with a level, else flop/s",
            {.limits = kPositive}),
      field("basis", &RooflineLine::basis, "", ""),
      field("origin", &RooflineLine::origin, "", "modelled: follows from other figures"),
      field("source", &RooflineLine::source, "", "", {.non_empty = true}),
      field("verified", &RooflineLine::verified, "",
            "false: nobody has looked the figure up; absent: somebody has",
            {.absence = Absence::usual})};
};
static_assert(is_complete<RooflineLine>());

template <>
struct Description<RooflineMachine> {
  static constexpr std::string_view name = "ChartMachine";
  static constexpr std::string_view meaning = "a machine and its lines";
  static constexpr auto fields =
      std::tuple{field("key", &RooflineMachine::key, "", "", {.non_empty = true}),
                 field("name", &RooflineMachine::name, "", ""),
                 field("lines", &RooflineMachine::lines, "",
                       "bandwidths from L1 outwards, then compute rates"),
                 field("notes", &RooflineMachine::notes, "",
                       "lines that were asked for and are not known", {.absence = Absence::empty})};
};
static_assert(is_complete<RooflineMachine>());

template <>
struct Description<RooflineDot> {
  static constexpr std::string_view name = "Dot";
  static constexpr std::string_view meaning = "a computation or loop at the traffic of one level";
  static constexpr auto fields = std::tuple{
      field("name", &RooflineDot::name, "", "", {.non_empty = true}),
      field("machine", &RooflineDot::machine, "", "its key; absent: none of those that are drawn",
            {.non_empty = true}),
      field("level", &RooflineDot::level, "", "whose traffic the intensity counts",
            {.non_empty = true}),
      field("intensity", &RooflineDot::intensity, "flop/byte", "", {.limits = kPositive}),
      field("performance", &RooflineDot::performance, "flop/s", "", {.limits = kPositive}),
      field("measured", &RooflineDot::measured, "", "false: what the roofs allow"),
      field("share", &RooflineDot::share, "", "of a loop: part of the program's time",
            {.limits = kShare}),
      field("source", &RooflineDot::source, "", "formula, file or result that it comes from")};
};
static_assert(is_complete<RooflineDot>());

template <>
struct Description<SpectrumBand> {
  static constexpr std::string_view name = "Band";
  static constexpr std::string_view meaning =
      "from which to which intensity a kernel of the catalogue reaches";
  static constexpr auto fields = std::tuple{
      field("name", &SpectrumBand::name, "", "", {.non_empty = true}),
      field("kernel", &SpectrumBand::kernel, "", "in the catalogue", {.non_empty = true}),
      field("sizes", &SpectrumBand::sizes, "", "", {.non_empty = true}),
      field("low", &SpectrumBand::low, "flop/byte", "", {.limits = kPositive}),
      field("high", &SpectrumBand::high, "flop/byte", "", {.limits = kPositive})};
};
static_assert(is_complete<SpectrumBand>());

template <>
struct Description<RooflineChart> {
  static constexpr std::string_view name = "Chart";
  static constexpr std::string_view meaning =
      "lines of machines, dots of computations and loops, and well-known intensities";
  static constexpr auto fields =
      std::tuple{field("title", &RooflineChart::title, "", "", {.absence = Absence::empty}),
                 field("machines", &RooflineChart::machines, "", ""),
                 field("dots", &RooflineChart::dots, "", ""),
                 field("spectrum", &RooflineChart::spectrum, "", "with --spectrum",
                       {.absence = Absence::empty}),
                 field("notes", &RooflineChart::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<RooflineChart>());

}  // namespace ridge::describe
