#include "platform/memory_policy.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <linux/mempolicy.h>
#include <optional>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace ridge::platform {
namespace {

constexpr unsigned kMostNodes = 1024;  // MAX_NUMNODES of any Linux kernel
constexpr unsigned kBits = 8 * sizeof(unsigned long);

/// How many numbers "0-3,8" lists; nullopt if it is anything else.
std::optional<unsigned> count_in(const std::string& list) {
  std::istringstream text(list);
  unsigned count = 0;
  do {
    unsigned first = 0;
    if (!(text >> first)) {
      return std::nullopt;
    }
    unsigned last = first;
    if (text.peek() == '-') {
      text.get();
      text >> last;
    }
    if (!text || last < first || last >= kMostNodes) {
      return std::nullopt;
    }
    count += last - first + 1;
  } while (text.get() == ',');
  return text.eof() ? std::optional(count) : std::nullopt;
}

}  // namespace

unsigned memory_node_count(const std::filesystem::path& nodes) {
  std::ifstream file(nodes / "has_memory");
  std::string list;
  std::getline(file, list);
  return count_in(list).value_or(1);
}

Result<MemoryOnNode> MemoryOnNode::set(unsigned node) {
  std::array<unsigned long, kMostNodes / kBits> mask{};
  const auto refuse = [&](const char* why) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot place memory on NUMA node {}: {}", node, why),
                "containers need the capability SYS_NICE for it");
  };
  if (node >= kMostNodes) {
    return refuse("no such node");
  }
  mask.at(node / kBits) = 1UL << node % kBits;
  // The kernel looks at one bit less than it is told.
  if (syscall(SYS_set_mempolicy, MPOL_BIND, mask.data(), kMostNodes + 1UL) != 0) {
    return refuse(std::strerror(errno));
  }
  return MemoryOnNode();
}

MemoryOnNode::MemoryOnNode(MemoryOnNode&& other) noexcept
    : active_(std::exchange(other.active_, false)) {}

MemoryOnNode::~MemoryOnNode() {
  if (active_) {
    syscall(SYS_set_mempolicy, MPOL_DEFAULT, nullptr, 0UL);
  }
}

}  // namespace ridge::platform
