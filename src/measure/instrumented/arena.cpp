#include "measure/instrumented/arena.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "abi/version.h"

namespace ridge::measure {
namespace {

constexpr std::uint64_t kSizeMax = std::uint64_t{8} << 30U;
constexpr std::uint64_t kSizeMin = std::uint64_t{32} << 20U;
constexpr std::uint64_t kShareOfLimit = 4;
constexpr std::uint64_t kReservedMax = std::uint64_t{16} << 20U;
constexpr std::uint64_t kReservedMin = std::uint64_t{1} << 20U;

/// A limit of the file size (`ulimit -f`) holds for this memory too, and would end us by a signal.
class IgnoreFileSizeSignal {
 public:
  IgnoreFileSizeSignal() : old_(std::signal(SIGXFSZ, SIG_IGN)) {}
  IgnoreFileSizeSignal(const IgnoreFileSizeSignal&) = delete;
  IgnoreFileSizeSignal& operator=(const IgnoreFileSizeSignal&) = delete;
  ~IgnoreFileSizeSignal() { std::signal(SIGXFSZ, old_); }

 private:
  void (*old_)(int);
};

tl::unexpected<Error> no_arena(const char* step, int error) {
  const char* hint = "";
  switch (error) {
    case EMFILE:
    case ENFILE:
      hint = "The limit of open files is reached: raise it (`ulimit -n`) or close some.";
      break;
    case ENOMEM:
    case ENOSPC:
      hint = "Free some memory, or raise the memory limit of this shell or container.";
      break;
    case EFBIG:
      hint = "The limit of file sizes holds for shared memory too: raise it (`ulimit -f`).";
      break;
    case ENOSYS:
    case EPERM:
    case EACCES:
      hint = "The system forbids memfd_create (sysctl vm.memfd_noexec, seccomp): allow it.";
      break;
    default:
      break;
  }
  return fail(
      ErrorCode::unavailable,
      fmt::format("no shared memory for the measurement: {}: {}", step, std::strerror(error)),
      hint);
}

int create_file() {
  constexpr unsigned kNoExecute = 8;  // MFD_NOEXEC_SEAL, Linux 6.3; older kernels refuse it
  const int file = memfd_create("ridge", MFD_CLOEXEC | kNoExecute);
  return file >= 0 || errno != EINVAL ? file : memfd_create("ridge", MFD_CLOEXEC);
}

/// Under a limit of the address space (`ulimit -v`) most of it is left to the program, which has
/// the same limit and maps the same memory.
std::uint64_t largest_size() {
  rlimit limit{};
  const bool is_limited =
      getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / kShareOfLimit < kSizeMax;
  return is_limited
             ? std::max<std::uint64_t>(std::bit_floor(limit.rlim_cur / kShareOfLimit), kSizeMin)
             : kSizeMax;
}

/// The largest mapping that limits allow; empty when not even the smallest is.
ArenaBytes map_largest(int file, int& error) {
  const IgnoreFileSizeSignal ignore;
  for (std::uint64_t size = largest_size(); size >= kSizeMin; size /= 2) {
    if (ftruncate(file, static_cast<off_t>(size)) != 0) {
      error = errno;
      continue;
    }
    void* address =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (address != MAP_FAILED) {
      return {static_cast<const std::byte*>(address), size};
    }
    error = errno;
  }
  return {};
}

bool reserve(int file, int& error) {
  for (std::uint64_t size = kReservedMax; size >= kReservedMin; size /= 2) {
    if (fallocate(file, 0, 0, static_cast<off_t>(size)) == 0) {
      return true;
    }
    error = errno;
  }
  return false;
}

}  // namespace

Result<Arena> Arena::create(ridge_mode mode, const ridge_cache_config& caches) {
  const int file = create_file();
  if (file < 0) {
    return no_arena("memfd_create", errno);
  }
  int error = 0;
  const ArenaBytes bytes = map_largest(file, error);
  Arena arena(file, bytes);
  if (bytes.empty()) {
    return no_arena("mapping", error);
  }
  if (!reserve(file, error)) {
    return no_arena("reserving", error);
  }
  auto* header = new (const_cast<std::byte*>(bytes.data())) ridge_arena{};
  header->abi_version = RIDGE_ABI_VERSION;
  header->mode = mode;
  header->size_bytes = bytes.size();
  header->used_bytes = (sizeof(ridge_arena) + 63) / 64 * 64;
  header->caches = caches;
  header->magic = RIDGE_ARENA_MAGIC;
  return arena;
}

std::optional<Note> Arena::size_note() const {
  if (bytes_.size() >= kSizeMax) {
    return std::nullopt;
  }
  return Note{"address-space-limit",
              fmt::format("under the limits here (`ulimit -v`) the memory shared with the program "
                          "is {} MiB instead of {}: of a program with very many threads or "
                          "processes some may not be counted, which a note would say",
                          bytes_.size() >> 20U, kSizeMax >> 20U)};
}

void Arena::set_sampling(ridge_traffic_mode mode, std::uint64_t sample_mask) {
  auto* header = reinterpret_cast<ridge_arena*>(const_cast<std::byte*>(bytes_.data()));
  header->traffic_mode = mode;
  header->sample_mask = sample_mask;
}

void Arena::set_memory_nodes(unsigned count) {
  auto* header = reinterpret_cast<ridge_arena*>(const_cast<std::byte*>(bytes_.data()));
  header->memory_nodes = count;
}

void Arena::set_elsewhere(const std::vector<CachesElsewhere>& caches) {
  auto* header = reinterpret_cast<ridge_arena*>(const_cast<std::byte*>(bytes_.data()));
  header->elsewhere_count =
      static_cast<std::uint32_t>(std::min<std::size_t>(caches.size(), RIDGE_ELSEWHERE_MAX));
  for (std::size_t i = 0; i < header->elsewhere_count; ++i) {
    header->elsewhere[i] = simulated_levels(caches[i]);
  }
}

Arena::Arena(Arena&& other) noexcept
    : file_(std::exchange(other.file_, -1)), bytes_(std::exchange(other.bytes_, {})) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Arena::~Arena() {
  if (!bytes_.empty()) {
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  if (file_ >= 0) {
    close(file_);
  }
}

std::string Arena::session() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), file_);
}

}  // namespace ridge::measure
