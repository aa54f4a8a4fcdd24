// The results below one folder. Nothing outside it is ever opened: requests name results of the
// listing and never paths, and every component is opened from the folder above it without following
// links.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::serve {

struct StoredEntry {
  std::string name;  ///< of the folder that holds profile.json, from the served one on; "." is that
  std::int64_t changed_ns = 0;              ///< of profile.json, since 1970
  std::uint64_t size_bytes = 0;             ///< of profile.json
  std::optional<std::string> unreadable{};  ///< why it cannot be shown
  // What a readable one says of itself.
  std::vector<std::string> argv{};
  std::string date{};
  std::string machine{};
  std::optional<double> seconds{};  ///< wall time

  friend bool operator==(const StoredEntry&, const StoredEntry&) = default;
};

class Store {
 public:
  /// Error: `bad_input` when `folder` is none or cannot be opened.
  [[nodiscard]] static Result<Store> open(const std::string& folder);
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  /// All results, newest first, unreadable ones with the reason. Files that did not change since
  /// the last call are not read again. Looks kMostDepth folders deep, at kMostFolders at most.
  [[nodiscard]] const std::vector<StoredEntry>& list();
  static constexpr unsigned kMostDepth = 6;
  static constexpr std::size_t kMostFolders = 20'000;

  /// A text that differs when a result was added, removed or changed.
  [[nodiscard]] std::string version() const;

  /// profile.json of a result that list() gave last. Error: `bad_input`.
  [[nodiscard]] Result<std::string> read(std::string_view name) const;

 private:
  explicit Store(int folder) : folder_(folder) {}
  void walk(int folder, const std::string& name, unsigned depth, std::size_t& folders);
  void add(int folder, const std::string& name);
  void describe(StoredEntry& entry) const;

  int folder_ = -1;
  std::vector<StoredEntry> entries_;
  std::map<std::string, StoredEntry> known_;  ///< by name, of the last listing
};

}  // namespace ridge::serve
