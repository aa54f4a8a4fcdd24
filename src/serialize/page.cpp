#include "serialize/page.hpp"

#include "serialize/comparison_value.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/machine_value.hpp"
#include "serialize/profile_value.hpp"

namespace ridge::serialize {
namespace {

constexpr const char* kSchema = "ridge.page/1";

void write_source(Writer& writer, const SourceExcerpt& source) {
  writer.member("file", source.file);
  writer.member("first_line", source.first_line);
  writer.strings("lines", source.lines);
}

void write_above_roof(Writer& writer, const AboveRoof& above) {
  writer.member("result", above.result);
  writer.member("machine", above.machine);
  writer.member("threads", above.threads);
  writer.member("level", above.level);
  writer.member("text", above.text);
}

}  // namespace

std::string write_page(const Page& page) {
  Writer writer;
  writer.member("schema", kSchema);
  writer.objects("results", page.results, [&](const PageResult& result) {
    writer.member("label", result.label);
    writer.object("profile",
                  [&] { write_profile_members(writer, result.profile, result.prediction); });
  });
  if (!page.machines.empty()) {
    writer.objects("machines", page.machines,
                   [&](const Machine& machine) { write_machine_members(writer, machine); });
  }
  if (page.comparison) {
    writer.object("comparison", [&] { write_comparison_members(writer, *page.comparison); });
  }
  if (!page.sources.empty()) {
    writer.objects("sources", page.sources,
                   [&](const SourceExcerpt& source) { write_source(writer, source); });
  }
  if (!page.above_roofs.empty()) {
    writer.objects("above_roofs", page.above_roofs,
                   [&](const AboveRoof& above) { write_above_roof(writer, above); });
  }
  return writer.finish();
}

}  // namespace ridge::serialize
