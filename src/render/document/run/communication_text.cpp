#include "render/document/run/communication_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/value/communication.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/markdown/markdown_text.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {
namespace {

std::string demand_line(const CommunicationBound& bound) {
  std::string line =
      fmt::format("Network: {} in {} messages{}", si(double(bound.bytes), "B"),
                  grouped(bound.messages), bound.partial ? " and calls of unknown size" : "");
  if (bound.flops_per_byte) {
    line += fmt::format(", {} flop per byte communicated", number(*bound.flops_per_byte));
  }
  return line + ".";
}

std::string links_line(const CommunicationBound& bound, const Interconnect& interconnect,
                       unsigned ranks) {
  return fmt::format(
      "Links ({}, measured with {} ranks on {} node{}): {} a message, {} from each rank while all "
      "send.",
      interconnect.library, interconnect.ranks, interconnect.nodes,
      interconnect.nodes == 1 ? "" : "s", si(bound.latency.value(), "s"),
      si(bound.bandwidth.value() / ranks, "B/s"));
}

std::string time_line(const CommunicationBound& bound) {
  const double least = bound.least_seconds.value();
  std::string line =
      fmt::format("At that speed the messages of a rank take at least {}", si(least, "s"));
  if (!bound.transfer_seconds) {
    return line + ".";
  }
  const double took = bound.transfer_seconds->value();
  line +=
      fmt::format("; it spent {} in calls that send, receive or wait for messages", si(took, "s"));
  if (least > took) {
    return line +
           ": messages travel while the program computes, or the links were slower when they were "
           "measured.";
  }
  return took > 0.0 ? line + fmt::format(" ({} of that time).", percent(least / took)) : line + ".";
}

std::string roof_line(const CommunicationBound& bound) {
  std::string line = fmt::format("Roof of the network: {}", si(bound.roof->value(), "Flop/s"));
  if (bound.performance) {
    line += fmt::format("; the program ran at {} ({})", si(bound.performance->value(), "Flop/s"),
                        percent(bound.performance->value() / bound.roof->value()));
  }
  return line + ".";
}

}  // namespace

std::vector<std::string> communication_lines(const Profile& profile, const Prediction& prediction) {
  const bool are_in_turns = profile.parallel && profile.parallel->oversubscribed;
  if (profile.mpi_calls.empty() || are_in_turns || communicating_ranks(profile) < 2) {
    return {};
  }
  const auto& bound = prediction.communication;
  const bool has_messages =
      std::ranges::any_of(profile.mpi_calls, [](const MpiCall& call) { return call.messages > 0; });
  if (!bound && profile.machine.interconnect) {
    return has_messages ? std::vector<std::string>{"The links between nodes were not measured: `ridge "
                                                   "bench --mpi` with ranks on several nodes does."}
                        : std::vector<std::string>();
  }
  if (!bound || !profile.machine.interconnect) {
    return {
        "The links between ranks were not measured: `mpirun -n N ridge bench --mpi` does, and then "
        "the report says how long these messages take at least."};
  }
  // The bandwidth of all is that of one times the ranks that were measured.
  const unsigned ranks = communicating_ranks(profile);
  std::vector<std::string> lines{demand_line(*bound),
                                 links_line(*bound, *profile.machine.interconnect, ranks),
                                 time_line(*bound)};
  // A roof a thousand times above the program tells nothing but that.
  const bool is_far = bound->roof && bound->performance &&
                      bound->performance->value() < 1e-3 * bound->roof->value();
  if (bound->roof && !is_far) {
    lines.push_back(roof_line(*bound));
  }
  return lines;
}

std::string communication_text(const Profile& profile, const Prediction& prediction,
                               const TextStyle& style) {
  std::string text;
  for (const std::string& line : communication_lines(profile, prediction)) {
    for (const std::string& part : wrap(clean(line, style.unicode), usable_columns(style) - 4)) {
      text += fmt::format("    {}\n", part);
    }
  }
  return text;
}

std::string communication_markdown(const Profile& profile, const Prediction& prediction) {
  std::string text;
  for (const std::string& line : communication_lines(profile, prediction)) {
    text += (text.empty() ? "" : " ") + markdown_text(line);
  }
  return text.empty() ? text : text + "\n\n";
}

}  // namespace ridge::render
