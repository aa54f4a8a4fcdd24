#include "serve/store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "serialize/profile.hpp"
#include "serve/descriptor.hpp"

namespace ridge::serve {
namespace {

constexpr const char* kFile = "profile.json";
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20U;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

tl::unexpected<Error> unreadable(std::string_view name, const std::string& why) {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}", name, why));
}

/// The folder of a name that the listing made: no component is "..", none is followed.
Descriptor folder_of(int root, std::string_view name) {
  Descriptor at(openat(root, ".", kFolderFlags));
  std::size_t begin = 0;
  while (name != "." && begin < name.size() && at.is_open()) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string component(name.substr(begin, end - begin));
    if (component.empty() || component == "." || component == ".." ||
        component.find('\0') != std::string::npos) {
      return Descriptor(-1);
    }
    at = Descriptor(openat(at.get(), component.c_str(), kFolderFlags));
    begin = end + 1;
  }
  return at;
}

Result<std::string> read_file(int folder, std::string_view name) {
  // Not blocking: a pipe of that name must not stop everything.
  const Descriptor file(openat(folder, kFile, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) {
    return unreadable(name, errno == ELOOP ? "profile.json is a link, which is not followed"
                                           : std::strerror(errno));
  }
  struct stat status{};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return unreadable(name, "profile.json is no ordinary file");
  }
  if (static_cast<std::uint64_t>(status.st_size) > kMostBytes) {
    return unreadable(name, "profile.json is larger than 512 MiB");
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

std::int64_t changed_at(const struct stat& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec;
}

}  // namespace

Result<Store> Store::open(const std::string& folder) {
  // The folder itself may be named through a link; nothing below it may be one.
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return fail(ErrorCode::bad_input, fmt::format("serve: {}: {}", folder, std::strerror(errno)),
                "name a folder with results of `ridge run`");
  }
  return Store(descriptor);
}

Store::Store(Store&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)),
      entries_(std::move(other.entries_)),
      known_(std::move(other.known_)) {}

Store::~Store() {
  if (folder_ >= 0) {
    close(folder_);
  }
}

const std::vector<StoredEntry>& Store::list() {
  entries_.clear();
  std::size_t folders = 0;
  walk(folder_, ".", 0, folders);
  std::sort(entries_.begin(), entries_.end(), [](const StoredEntry& a, const StoredEntry& b) {
    return std::tuple(-a.changed_ns, a.name) < std::tuple(-b.changed_ns, b.name);
  });
  known_.clear();
  for (const StoredEntry& entry : entries_) {
    known_.emplace(entry.name, entry);
  }
  return entries_;
}

void Store::walk(int folder, const std::string& name, unsigned depth, std::size_t& folders) {
  if (++folders > kMostFolders) {
    return;
  }
  const int again = openat(folder, ".", kFolderFlags);
  DIR* stream = again >= 0 ? fdopendir(again) : nullptr;
  if (stream == nullptr) {
    if (again >= 0) {
      close(again);
    }
    return;
  }
  std::vector<std::string> inner;
  bool has_result = false;
  while (const dirent* entry = readdir(stream)) {  // NOLINT(concurrency-mt-unsafe): own stream
    const std::string_view entry_name = static_cast<const char*>(entry->d_name);
    has_result = has_result || entry_name == kFile;
    if (!entry_name.starts_with('.')) {
      inner.emplace_back(entry_name);
    }
  }
  closedir(stream);
  if (has_result) {
    add(folder, name);
  }
  if (depth == kMostDepth) {
    return;
  }
  for (const std::string& child : inner) {
    const Descriptor below(openat(folder, child.c_str(), kFolderFlags));
    if (below.is_open()) {
      walk(below.get(), name == "." ? child : name + "/" + child, depth + 1, folders);
    }
  }
}

void Store::add(int folder, const std::string& name) {
  StoredEntry entry;
  entry.name = name;
  struct stat status{};
  if (fstatat(folder, kFile, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return;  // gone by now
  }
  entry.changed_ns = changed_at(status);
  entry.size_bytes = static_cast<std::uint64_t>(status.st_size);
  const auto before = known_.find(name);
  if (before != known_.end() && before->second.changed_ns == entry.changed_ns &&
      before->second.size_bytes == entry.size_bytes) {
    entry = before->second;
  } else {
    describe(entry);
  }
  entries_.push_back(std::move(entry));
}

void Store::describe(StoredEntry& entry) const {
  const Descriptor folder = folder_of(folder_, entry.name);
  const auto profile = read_file(folder.get(), entry.name).and_then([&](const std::string& text) {
    return serialize::parse_profile(text, entry.name + "/" + kFile);
  });
  if (!profile) {
    entry.unreadable = profile.error().message;
    return;
  }
  entry.argv = profile->program.argv;
  entry.date = profile->date;
  entry.machine = profile->machine.name;
  if (profile->program.wall_seconds > Seconds(0.0)) {
    entry.seconds = profile->program.wall_seconds.value();
  }
}

std::string Store::version() const {
  // FNV-1a: two versions that differ must look different, nothing more.
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&](std::string_view bytes) {
    for (const char c : bytes) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
  };
  for (const StoredEntry& entry : entries_) {
    mix(fmt::format("{}\n{}\n{}\n", entry.name, entry.changed_ns, entry.size_bytes));
  }
  return fmt::format("{:016x}", hash);
}

Result<std::string> Store::read(std::string_view name) const {
  if (!known_.contains(std::string(name))) {
    return unreadable("serve", "there is no such result");
  }
  const Descriptor folder = folder_of(folder_, name);
  if (!folder.is_open()) {
    return unreadable(name, "it is gone");
  }
  return read_file(folder.get(), name);
}

}  // namespace ridge::serve
