// Fields of what the interactive report shows.
#pragma once

#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/value/page.hpp"

namespace ridge::describe {

template <>
struct Description<PageResult> {
  static constexpr std::string_view name = "PageResult";
  static constexpr std::string_view meaning = "one result on the page";
  static constexpr auto fields =
      std::tuple{field("label", &PageResult::label, "", "how the page calls the result"),
                 implied(&PageResult::profile), implied(&PageResult::prediction),
                 beside<Profile>("profile", "", "whole, with what the prediction says of it")};
};
static_assert(is_complete<PageResult>());

template <>
struct Description<SourceExcerpt> {
  static constexpr std::string_view name = "SourceExcerpt";
  static constexpr std::string_view meaning = "lines around regions";
  static constexpr auto fields =
      std::tuple{field("file", &SourceExcerpt::file, "", "as the regions spell it"),
                 field("first_line", &SourceExcerpt::first_line, "", "number of the first of lines",
                       {.limits = kAtLeastOne}),
                 field("lines", &SourceExcerpt::lines, "", "")};
};
static_assert(is_complete<SourceExcerpt>());

template <>
struct Description<AboveRoof> {
  static constexpr std::string_view name = "AboveRoof";
  static constexpr std::string_view meaning =
      "a roof of memory that another pattern of as many threads beats by more than 5 %";
  static constexpr auto fields = std::tuple{
      field("result", &AboveRoof::result, "",
            "index of the result whose machine has this roof; absent: machine says whose it is",
            {.limits = kIndex}),
      field("machine", &AboveRoof::machine, "", "index into machines", {.limits = kIndex}),
      field("threads", &AboveRoof::threads, "", "of the roof", {.limits = kAtLeastOne}),
      field("level", &AboveRoof::level, "", ""),
      field("text", &AboveRoof::text, "",
            "one sentence, to be said beside a chart that shows the roof")};
};
static_assert(is_complete<AboveRoof>());

template <>
struct Description<Page> {
  static constexpr std::string_view name = "Page";
  static constexpr std::string_view meaning = "the document inside report.html";
  static constexpr auto fields = std::tuple{
      field("results", &Page::results, "", "oldest first; may be empty"),
      field("machines", &Page::machines, "", "further ones, whose roofs can be overlaid",
            {.absence = Absence::empty}),
      field("comparison", &Page::comparison, "", "of these results, in this order"),
      field("sources", &Page::sources, "", "of files that could be read when the page was written",
            {.absence = Absence::empty}),
      field("above_roofs", &Page::above_roofs, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<Page>());

}  // namespace ridge::describe
