#include "serve/list_page.hpp"

#include <cctype>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"

namespace ridge::serve {
namespace {

constexpr std::string_view kScript = R"("use strict";
// Looks for new results and keeps what is chosen.
const version = document.body.dataset.version;
const boxes = () => [...document.querySelectorAll("input[name=name]")];
const kept = sessionStorage.getItem("chosen");
if (kept !== null) {
  const chosen = new Set(JSON.parse(kept));
  for (const box of boxes()) box.checked = chosen.has(box.value);
  sessionStorage.removeItem("chosen");
}
setInterval(async () => {
  if (document.hidden) return;
  const note = document.getElementById("live");
  try {
    const answer = await fetch("state", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    note.textContent = "";
    if ((await answer.text()) !== version) {
      sessionStorage.setItem("chosen", JSON.stringify(boxes().filter((b) => b.checked).map((b) => b.value)));
      location.reload();
    }
  } catch {
    note.textContent = "ridge serve has ended";
  }
}, 2000);
)";

constexpr std::string_view kStyle = R"(:root{color-scheme:light dark}
body{font:15px/1.45 $fonts;max-width:90rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem}
table{border-collapse:collapse;width:100%}
th{white-space:nowrap}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid $faint;vertical-align:top}
td{overflow-wrap:anywhere}
td.number,th.number{text-align:right;white-space:nowrap}
td.date{white-space:nowrap}
td.why{color:$error}
code{overflow-wrap:anywhere}
button{font:inherit;padding:.35rem .9rem;margin:.8rem 0}
#live{color:$error}
)";
constexpr std::string_view kDarkStyle =
    "@media (prefers-color-scheme:dark){td.why,#live{color:$error}}\n";

std::string label_of(const StoredEntry& entry) {
  return entry.name == "." ? "(this folder)" : entry.name;
}

std::string row(const StoredEntry& entry) {
  using render::escape_markup;
  const std::string label = escape_markup(label_of(entry));
  if (entry.unreadable) {
    return fmt::format(
        "<tr><td></td><td>{}</td><td colspan=\"4\" class=\"why\">cannot be shown: {}</td></tr>\n",
        label, escape_markup(*entry.unreadable));
  }
  return fmt::format(
      "<tr><td><input type=\"checkbox\" name=\"name\" value=\"{}\" aria-label=\"choose {}\"></td>"
      "<td><a href=\"open?name={}\">{}</a></td><td><code>{}</code></td>"
      "<td class=\"number\">{}</td><td class=\"date\">{}</td><td>{}</td></tr>\n",
      escape_markup(entry.name), label, encoded(entry.name), label,
      escape_markup(render::command_line(entry.argv)),
      escape_markup(render::si(entry.seconds, "s")), escape_markup(entry.date),
      escape_markup(entry.machine));
}

}  // namespace

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string list_page(const std::string& title, const std::vector<StoredEntry>& entries,
                      const std::string& version) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>Ridge: {0}</title>"
      "<link rel=\"stylesheet\" href=\"list.css\"><script src=\"list.js\" defer></script></head>\n"
      "<body data-version=\"{1}\"><h1>Results in {0}</h1><p id=\"live\" role=\"status\"></p>\n",
      render::escape_markup(title), version);
  if (entries.empty()) {
    return out +
           "<p>No results yet: <code>ridge run -o RESULT -- PROGRAM</code> writes one; it appears "
           "here by itself.</p></body></html>\n";
  }
  out +=
      "<form action=\"open\" method=\"get\"><table><thead><tr><th></th><th>result</th>"
      "<th>program</th><th class=\"number\">time</th><th>date</th><th>machine</th></tr></thead>\n"
      "<tbody>\n";
  for (const StoredEntry& entry : entries) {
    out += row(entry);
  }
  return out +
         "</tbody></table><button>Show or compare what is chosen</button>\n<p>Of several the one "
         "with the earliest date comes first.</p></form></body></html>\n";
}

std::string_view list_script() {
  return kScript;
}

std::string list_style() {
  using render::Theme;
  return render::coloured(kStyle, Theme::light) + render::coloured(kDarkStyle, Theme::dark);
}

}  // namespace ridge::serve
