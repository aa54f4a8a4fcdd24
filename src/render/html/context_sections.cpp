// What stands around the regions: notes, machine, origins, provenance.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "render/ceiling_figures.hpp"
#include "render/format_si.hpp"
#include "render/html/html_sections.hpp"
#include "render/html/markup.hpp"
#include "render/names.hpp"
#include "render/report_facts.hpp"
#include "render/text.hpp"

namespace ridge::render::html {
namespace {

std::vector<Cell> ceiling_cells(const Ceiling& ceiling) {
  const CeilingFigures figures = figures_of(ceiling);
  std::vector<Cell> cells = {text_cell(figures.what),
                             number_cell(std::to_string(ceiling.threads)),
                             number_cell(figures.p90),
                             number_cell(figures.traffic),
                             number_cell(figures.median),
                             number_cell(percent(figures.spread, 1)),
                             number_cell(si(ceiling.limit, figures.unit)),
                             bar_cell(percent(ceiling.limit_fraction, 1), ceiling.limit_fraction),
                             text_cell(figures.origin),
                             text_cell(figures.flags)};
  cells.front().heading = true;
  return cells;
}

std::string cpu_line(const CpuIdentity& cpu) {
  return fmt::format("{} ({}, family {}, model {}, stepping {})", cpu.name, cpu.vendor, cpu.family,
                     cpu.model, cpu.stepping);
}

std::string caches_line(const Machine& machine) {
  std::string line;
  for (const Cache& cache : machine.caches) {
    line += fmt::format("{}{} {}, {} ways, {} B lines, {}", line.empty() ? "" : "; ", cache.level,
                        binary_size(static_cast<double>(cache.size_bytes)), cache.ways,
                        cache.line_bytes, to_string(cache.policy));
  }
  return line;
}

std::string origin_row(std::string_view quantity, Origin origin) {
  return definition(quantity, fmt::format("{}. {}", to_string(origin), origin_explanation(origin)));
}

std::string limit_sources(const Machine& machine) {
  std::vector<std::string> sources;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.source &&
        std::find(sources.begin(), sources.end(), *ceiling.source) == sources.end()) {
      sources.push_back(*ceiling.source);
    }
  }
  return fmt::format("{}", fmt::join(sources, "; "));
}

}  // namespace

std::string notes_section(const Profile& profile, const Selection& selection) {
  const auto all = remarks(profile, selection);
  if (all.empty()) {
    return {};
  }
  std::string out = "<section>\n" + element("h2", "Notes") + "<ul class=\"card notes\">\n";
  for (const Remark& remark : all) {
    out += "<li>";
    if (!remark.about.empty()) {
      out += "<strong>" + escape_markup(remark.about) + "</strong>: ";
    }
    out += escape_markup(remark.text) + "</li>\n";
  }
  return out + "</ul>\n</section>\n";
}

std::string machine_section(const Machine& machine) {
  std::vector<std::vector<Cell>> rows;
  for (const Ceiling& ceiling : machine.ceilings) {
    rows.push_back(ceiling_cells(ceiling));
  }
  if (rows.empty()) {
    return {};
  }
  const std::string ceilings =
      table("Roofs are the p90 of the samples; the spread is the 80 % interval over the median",
            {{"ceiling", false, {}},
             {"threads", true, {}},
             {"p90", true, "what the kernel asked for, per second"},
             {"traffic", true, "what crossed the boundary, write-allocate included"},
             {"median", true, {}},
             {"spread", true, {}},
             {"limit", true, "theoretical, at the probed clock"},
             {"of limit", true, {}},
             {"origin", false, {}},
             {"flags", false, {}}},
            rows);
  return "<section>\n" + element("h2", "Ceilings of the machine") +
         fmt::format("<details><summary>{} ceilings</summary>\n", rows.size()) + ceilings +
         "</details>\n</section>\n";
}

std::string origins_section(const Profile& profile) {
  std::string out = "<section>\n" + element("h2", "Where the numbers come from");
  out += "<dl class=\"card provenance\">\n";
  out += origin_row("work (flops)", profile.origins.flops);
  out += origin_row("bytes loaded and stored", profile.origins.bytes);
  out += origin_row("traffic beyond L1", profile.origins.traffic);
  out += origin_row("time", profile.origins.time);
  if (!profile.machine.ceilings.empty()) {
    out += definition("ceilings", "each row of the machine's table names its own origin");
  }
  out += definition("intensity, performance, roofs",
                    "derived from the above, and never better than the worst of them");
  out += definition("-", "not known; it is never a zero");
  return out + "</dl>\n</section>\n";
}

std::string provenance_section(const Profile& profile) {
  const Machine& machine = profile.machine;
  std::string out = "<section>\n" + element("h2", "Provenance");
  out += "<dl class=\"card provenance\">\n";
  out += definition("command", command_line(profile.program.argv));
  out += definition("ended with", ending(profile));
  out += definition("compiled by", compiler_line(profile));
  out += definition("date", profile.date);
  out += definition("host", machine.host.value_or(""));
  out += definition("CPU", cpu_line(machine.cpu));
  out += definition("topology", topology_line(machine));
  out += definition("caches", caches_line(machine));
  out += definition("clock", clock_line(machine));
  out += definition("ceilings measured", machine.date);
  out += definition("theoretical limits from", limit_sources(machine));
  out += definition("processes", profile.processes.size() > 1
                                     ? std::to_string(profile.processes.size())
                                     : std::string());
  out += definition("Ridge", profile.ridge_version);
  if (machine.ridge_version != profile.ridge_version) {
    out += definition("Ridge that measured the machine", machine.ridge_version);
  }
  out += definition("not modelled", not_modelled());
  return out + "</dl>\n</section>\n";
}

}  // namespace ridge::render::html
