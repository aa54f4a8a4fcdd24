// What Ridge says of every innermost loop of an object file, a JSON object a line.
//
//     in_core_predict OBJECT [FUNCTION [CPU]]
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/in_core.hpp"

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("in_core_predict OBJECT [FUNCTION [CPU]]\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string object{std::istreambuf_iterator<char>(file), {}};
  const auto before = std::chrono::steady_clock::now();
  const auto loops = ridge::analyze::in_core_loops(
      object, arguments[1], count > 2 ? arguments[2] : "", count > 3 ? arguments[3] : "");
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
  if (!loops) {
    fmt::print(stderr, "{} ({})\n", loops.error().message, loops.error().hint);
    return loops.error().exit_code();
  }
  for (const ridge::analyze::InCoreLoop& each : *loops) {
    const ridge::InCoreModel& model = each.model;
    std::string ports;
    for (const ridge::PortUse& use : model.ports) {
      ports += fmt::format("{}\"{}\": {:.3f}", ports.empty() ? "" : ", ", use.port, use.cycles);
    }
    fmt::print(
        "{{\"function\": \"{}\", \"address\": {}, \"instructions\": {}, \"flops\": {}, \"loaded\": "
        "{}, \"stored\": {}, \"cycles\": {:.4f}, \"ports\": {:.4f}, \"chain\": {:.4f}, "
        "\"front_end\": {:.4f}, \"overlapping\": {:.4f}, \"transferring\": {:.4f}, \"use\": "
        "{{{}}}, "
        "\"unknown\": [{}], \"lines\": [{}], \"notes\": {}, \"core\": \"{}\"}}\n",
        each.function, model.address, model.instructions, each.flops_per_pass,
        each.bytes_loaded_per_pass, each.bytes_stored_per_pass, model.cycles, model.port_cycles,
        model.chain_cycles, model.front_end_cycles, model.overlapping_cycles,
        model.transferring_cycles, ports,
        model.unknown.empty() ? "" : fmt::format("\"{}\"", fmt::join(model.unknown, "\", \"")),
        fmt::join(each.lines, ", "), model.notes.size(), model.microarchitecture);
  }
  fmt::print(stderr, "{:.3f} ms for {} loops\n", took.count(), loops->size());
  return 0;
}
