#include "core/value/interconnect.hpp"

#include <algorithm>

namespace ridge {

std::string_view to_string(LinkPattern pattern) {
  return kLinkPatternTable.at(static_cast<std::size_t>(pattern)).second;
}

std::string_view to_string(LinkReach reach) {
  return kLinkReachTable.at(static_cast<std::size_t>(reach)).second;
}

const Link* find_link(const Interconnect& interconnect, LinkPattern pattern, LinkReach reach) {
  const auto found = std::ranges::find_if(interconnect.links, [&](const Link& link) {
    return link.pattern == pattern && link.reach == reach;
  });
  return found == interconnect.links.end() ? nullptr : &*found;
}

}  // namespace ridge
