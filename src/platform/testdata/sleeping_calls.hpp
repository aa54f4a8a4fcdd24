// System calls that wait, each with what it has to return however often the thread is stopped.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sleeping_calls {

constexpr std::chrono::milliseconds kWhile{150};

inline timespec a_while() {
  return {0, std::chrono::nanoseconds(kWhile).count()};
}

/// Does something for a thread that waits meanwhile.
template <class Something>
std::thread later(Something something) {
  return std::thread([something] {
    std::this_thread::sleep_for(kWhile);
    something();
  });
}

inline bool sleep_lasts() {
  const auto begin = std::chrono::steady_clock::now();
  const timespec length = a_while();
  return nanosleep(&length, nullptr) == 0 && std::chrono::steady_clock::now() >= begin + kWhile;
}

inline bool poll_ends_by_its_limit() {
  return poll(nullptr, 0, static_cast<int>(kWhile.count())) == 0;
}

inline bool read_gets_what_comes() {
  std::array<int, 2> ends{};
  char word = 0;
  bool is_right = pipe(ends.data()) == 0;
  std::thread writer = later([&] { (void)!write(ends[1], "x", 1); });
  is_right = is_right && read(ends[0], &word, 1) == 1 && word == 'x';
  writer.join();
  return is_right;
}

inline bool receive_with_a_limit_gets_what_comes() {
  std::array<int, 2> ends{};
  char word = 0;
  bool is_right = socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0;
  const timeval limit{60, 0};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  std::thread writer = later([&] { (void)!write(ends[1], "x", 1); });
  is_right = is_right && recv(ends[0], &word, 1, 0) == 1;
  writer.join();
  return is_right;
}

inline bool futex_ends_by_its_limit() {
  std::atomic<int> word = 0;
  const timespec length = a_while();
  return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &length, nullptr, 0) < 0 && errno == ETIMEDOUT;
}

inline bool epoll_gets_what_comes() {
  std::array<int, 2> ends{};
  bool is_right = pipe(ends.data()) == 0;
  const int group = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  is_right = is_right && epoll_ctl(group, EPOLL_CTL_ADD, ends[0], &event) == 0;
  std::thread writer = later([&] { (void)!write(ends[1], "x", 1); });
  is_right = is_right && epoll_wait(group, &event, 1, -1) == 1;
  writer.join();
  return is_right;
}

inline void ignore(int /*signal*/) {}

/// A handler does end it.
inline bool epoll_is_ended_by_a_signal() {
  struct sigaction action{};
  action.sa_handler = ignore;
  sigaction(SIGUSR1, &action, nullptr);
  const int group = epoll_create1(0);
  epoll_event event{};
  std::thread sender = later([self = pthread_self()] { pthread_kill(self, SIGUSR1); });
  const bool is_right = epoll_wait(group, &event, 1, 60'000) < 0 && errno == EINTR;
  sender.join();
  return is_right;
}

inline bool signal_wait_gets_what_comes() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
  const timespec limit{60, 0};
  std::thread sender = later([self = pthread_self()] { pthread_kill(self, SIGUSR2); });
  const bool is_right = sigtimedwait(&wanted, nullptr, &limit) == SIGUSR2;
  sender.join();
  return is_right;
}

inline bool wait_gets_the_code() {
  const pid_t child = fork();
  if (child == 0) {
    const timespec length = a_while();
    nanosleep(&length, nullptr);
    _exit(7);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

}  // namespace sleeping_calls

/// Its number, from 1; 0: all are right.
inline int first_wrong_call() {
  using namespace sleeping_calls;
  const std::array calls{sleep_lasts,
                         poll_ends_by_its_limit,
                         read_gets_what_comes,
                         receive_with_a_limit_gets_what_comes,
                         futex_ends_by_its_limit,
                         epoll_gets_what_comes,
                         epoll_is_ended_by_a_signal,
                         signal_wait_gets_what_comes,
                         wait_gets_the_code};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i]()) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}
