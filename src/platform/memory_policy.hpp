// NUMA nodes that have memory, and on which of them new memory comes to lie.
#pragma once

#include <filesystem>

#include "core/result.hpp"

namespace ridge::platform {

/// 1 where the system does not say. `nodes` is the folder of the kernel's list.
[[nodiscard]] unsigned memory_node_count(
    const std::filesystem::path& nodes = "/sys/devices/system/node");

/// While one lives, pages that the calling thread, and threads started by it meanwhile, touch first
/// come from one node. Afterwards the default is back: the node of the CPU.
class MemoryOnNode {
 public:
  /// Error: `unavailable` where the system forbids it or has no such node.
  [[nodiscard]] static Result<MemoryOnNode> set(unsigned node);

  MemoryOnNode(MemoryOnNode&& other) noexcept;
  MemoryOnNode& operator=(MemoryOnNode&&) = delete;
  MemoryOnNode(const MemoryOnNode&) = delete;
  MemoryOnNode& operator=(const MemoryOnNode&) = delete;
  ~MemoryOnNode();

 private:
  MemoryOnNode() = default;
  bool active_ = true;
};

}  // namespace ridge::platform
