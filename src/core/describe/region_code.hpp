// Fields of the code of a region.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/value/region_code.hpp"

namespace ridge::describe {

template <>
struct Description<LineWork> {
  static constexpr std::string_view name = "LineWork";
  static constexpr std::string_view meaning =
      "what a line of the source did, over the whole run and all threads";
  static constexpr auto fields = std::tuple{
      field("file", &LineWork::file, "", "absent: that of the region"),
      field("line", &LineWork::line, "", ""),
      field("samples", &LineWork::samples, "", "of time; absent where no addresses were sampled"),
      field("flops", &LineWork::flops, "flop", ""),
      field("bytes_loaded", &LineWork::bytes_loaded, "byte", ""),
      field("bytes_stored", &LineWork::bytes_stored, "byte", "")};
};
static_assert(is_complete<LineWork>());

template <>
struct Description<CodeInstruction> {
  static constexpr std::string_view name = "CodeInstruction";
  static constexpr std::string_view meaning =
      "a machine instruction; figures are those of one execution";
  static constexpr auto fields =
      std::tuple{field("address", &CodeInstruction::address, "", "in the file that holds it"),
                 field("text", &CodeInstruction::text, "", "as a disassembler writes it"),
                 field("line", &CodeInstruction::line, "", "of the source"),
                 field("flops", &CodeInstruction::flops, "flop", "", {.absence = Absence::usual}),
                 field("bytes_loaded", &CodeInstruction::bytes_loaded, "byte", "",
                       {.absence = Absence::usual}),
                 field("bytes_stored", &CodeInstruction::bytes_stored, "byte", "",
                       {.absence = Absence::usual})};
};
static_assert(is_complete<CodeInstruction>());

template <>
struct Description<CodeBlock> {
  static constexpr std::string_view name = "CodeBlock";
  static constexpr std::string_view meaning =
      "instructions that run one after the other, without a way in or out between them";
  static constexpr auto fields = std::tuple{
      field("executions", &CodeBlock::executions, "", "over the whole run and all threads"),
      field("instructions", &CodeBlock::instructions, "", "")};
};
static_assert(is_complete<CodeBlock>());

template <>
struct Description<RegionCode> {
  static constexpr std::string_view name = "RegionCode";
  static constexpr std::string_view meaning = "the machine code of a region";
  static constexpr auto fields = std::tuple{
      field("lines", &RegionCode::lines, "",
            "of the source, by file and line; absent: not one of the hottest regions, or no "
            "machine code could be read",
            {.absence = Absence::empty, .since = 2}),
      field("hottest_block", &RegionCode::hottest_block, "",
            "with most executions times instructions", {.since = 2})};
};
static_assert(is_complete<RegionCode>());

}  // namespace ridge::describe
