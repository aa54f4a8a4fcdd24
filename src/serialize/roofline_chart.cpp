#include "serialize/roofline_chart.hpp"

#include "core/describe/roofline_chart.hpp"
#include "serialize/described/write.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {

std::string write_roofline_chart(const RooflineChart& chart) {
  Writer writer;
  writer.member("schema", "ridge.chart/1");
  write_members(writer, chart);
  return writer.finish();
}

}  // namespace ridge::serialize
