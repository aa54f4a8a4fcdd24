#include "platform/memory_policy.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace ridge::platform {
namespace {

constexpr unsigned kMostNodes = 1024;  // MAX_NUMNODES of any Linux kernel
constexpr unsigned kBits = 8 * sizeof(unsigned long);

}  // namespace

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
