// A program for the tests of the samplers: what it spends its time on is known by construction.
// The first word says what it does; each function of `work` takes the same time of the CPU.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "sleeping_calls.hpp"

namespace {

constexpr long kMilliseconds = 100;

volatile std::uint64_t sink;

bool has_spent(clockid_t clock, long milliseconds) {
  timespec spent{};
  clock_gettime(clock, &spent);
  return spent.tv_sec * 1000 + spent.tv_nsec / 1'000'000 >= milliseconds;
}

// Each in pages of its own, so that an address tells whose it is.
[[gnu::noinline, gnu::aligned(8192)]] void first(std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    sink = sink * 3 + i;
  }
}

[[gnu::noinline, gnu::aligned(8192)]] void second(std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    sink = sink * 5 + i;
  }
}

[[gnu::noinline, gnu::aligned(8192)]] void until(void (*work)(std::uint64_t), long milliseconds) {
  while (!has_spent(CLOCK_THREAD_CPUTIME_ID, milliseconds)) {
    work(200'000);
  }
}

/// Where the functions lie in the file of this program.
void say_where() {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  unsigned long begin = 0;
  unsigned long end = 0;
  unsigned long offset = 0;
  char line[4096];
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    const auto address = reinterpret_cast<unsigned long>(&first);
    if (std::sscanf(line, "%lx-%lx %*s %lx", &begin, &end, &offset) == 3 && address >= begin &&
        address < end) {
      std::printf("%lu %lu\n", address - begin + offset,
                  reinterpret_cast<unsigned long>(&second) - begin + offset);
    }
  }
}

/// Until somebody ends it.
[[noreturn]] void forever(void (*work)(std::uint64_t)) {
  while (true) {
    work(200'000);
  }
}

[[noreturn]] void in_two_threads() {
  std::thread one([] { forever(first); });
  forever(second);
}

[[noreturn]] void in_a_child() {
  forever(fork() == 0 ? second : first);
}

[[noreturn]] void by_turns() {
  while (true) {
    first(200'000);
    second(200'000);
  }
}

/// Goes on as another program once its standard input is closed.
int before_and_after_exec(const char* program) {
  pollfd input{0, POLLIN, 0};
  while (poll(&input, 1, 0) == 0) {
    first(200'000);
  }
  return execl(program, program, "second", nullptr);
}

}  // namespace

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  if (std::strcmp(what, "where") == 0) {
    say_where();
  } else if (std::strcmp(what, "both") == 0) {
    until(first, kMilliseconds);
    until(second, 2 * kMilliseconds);
  } else if (std::strcmp(what, "threads") == 0) {
    in_two_threads();
  } else if (std::strcmp(what, "fork") == 0) {
    in_a_child();
  } else if (std::strcmp(what, "turns") == 0) {
    by_turns();
  } else if (std::strcmp(what, "exec") == 0) {
    return before_and_after_exec(words[0]);
  } else if (std::strcmp(what, "second") == 0) {
    forever(second);
  } else if (std::strcmp(what, "calls") == 0) {
    return first_wrong_call();
  } else if (std::strcmp(what, "sleep") == 0) {
    char word = 0;
    return read(0, &word, 1) == 0 ? 0 : 1;  // until its standard input is closed
  } else {
    return 2;
  }
  return 0;
}
