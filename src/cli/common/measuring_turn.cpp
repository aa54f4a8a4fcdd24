#include "cli/common/measuring_turn.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/core.h>

#include "cli/common/progress_bar.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {
namespace {

constexpr std::chrono::milliseconds kMostPatience = std::chrono::minutes(10);

/// -1 when there is no such file and none can be made.
int open_lock(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  return open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

bool held_by_another(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR);
}

/// What the holder has written; nullopt when it has not, or not yet.
std::optional<int> holder_of(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  int process = 0;
  const auto parsed =
      std::from_chars(text.data(), text.data() + std::max<ssize_t>(0, length), process);
  return parsed.ec == std::errc{} && process > 0 ? std::optional(process) : std::nullopt;
}

void write_holder(int descriptor) {
  const std::string text = fmt::format("{}\n", getpid());
  // Only for the words of those who wait: that it fails changes nothing.
  if (ftruncate(descriptor, 0) == 0) {
    (void)!pwrite(descriptor, text.data(), text.size(), 0);
  }
}

std::string process_words(std::optional<int> holder) {
  return holder ? fmt::format("process {}", *holder) : std::string("another process");
}

}  // namespace

Result<MeasuringTurn> MeasuringTurn::take(const std::filesystem::path& lock_file,
                                          const TurnHooks& hooks) {
  MeasuringTurn turn;
  turn.descriptor_ = open_lock(lock_file);
  if (turn.descriptor_ < 0) {
    return turn;
  }
  while (held_by_another(turn.descriptor_)) {
    const auto waited = hooks.pause();
    const auto holder = holder_of(turn.descriptor_);
    if (hooks.stop && hooks.stop()) {
      return fail(ErrorCode::unavailable, "stopped before anything was measured",
                  fmt::format("{} was measuring this machine", process_words(holder)));
    }
    if (waited >= kMostPatience) {
      return fail(ErrorCode::unavailable,
                  fmt::format("{} has been measuring this machine for {} minutes",
                              process_words(holder), waited / std::chrono::minutes(1)),
                  "end it, or give ridge a machine file with --machine FILE");
    }
    if (hooks.on_wait) {
      hooks.on_wait(holder, waited);
    }
  }
  write_holder(turn.descriptor_);
  return turn;
}

MeasuringTurn::MeasuringTurn(MeasuringTurn&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MeasuringTurn& MeasuringTurn::operator=(MeasuringTurn&& other) noexcept {
  if (this != &other) {
    give_back();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

MeasuringTurn::~MeasuringTurn() {
  give_back();
}

void MeasuringTurn::give_back() {
  if (descriptor_ >= 0) {
    close(descriptor_);  // and with it the lock; the file stays, or two could lock two of them
  }
}

std::filesystem::path lock_file_beside(const std::filesystem::path& machine_file) {
  std::array<char, 256> name{};
  std::string host = gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
  for (char& c : host) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ? c : '_';
  }
  return machine_file.parent_path() / fmt::format("measuring-{}.lock", host);
}

TurnHooks waiting_on_terminal(std::function<bool()> stop) {
  const auto bar = std::make_shared<ProgressBar>();
  return {
      .pause =
          [begin = std::chrono::steady_clock::now()] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            return std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - begin);
          },
      .stop = std::move(stop),
      .on_wait =
          [bar, said = false](std::optional<int> holder, std::chrono::milliseconds waited) mutable {
            if (!said) {
              say(fmt::format("{} is measuring this machine: waiting until it is done",
                              process_words(holder)));
              said = true;
            }
            bar->show(0, 1,
                      fmt::format("waiting for {}, {} s so far", process_words(holder),
                                  waited / std::chrono::seconds(1)));
          }};
}

}  // namespace ridge::cli
