#include "execute/faults.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

namespace ridge::execute {
namespace {

constexpr std::size_t kHandlerStack = std::size_t{64} << 10U;

Report* report_of_process = nullptr;  // handlers get no argument

struct StackOfThread {
  std::uintptr_t first = 0;  ///< 0: not known
  std::uintptr_t guard = 0;
  std::array<std::byte, kHandlerStack> for_handler{};
};
thread_local StackOfThread stack_of_thread;

/// With a large frame the place that is touched may lie far from where the stack ends.
bool is_full(std::uintptr_t stack_pointer, std::uintptr_t address) {
  const auto& [first, guard, unused] = stack_of_thread;
  return first != 0 &&
         (stack_pointer < first + guard || (address >= first - guard && address < first + guard));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  constexpr greg_t kWrite = 2;  // bit of the error code of a page fault
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  Fault fault;
  fault.signal = signal;
  if (signal == SIGSEGV || signal == SIGBUS) {
    // An address that no memory can have comes from the kernel without its value.
    fault.has_address = info->si_code > 0 && info->si_code != SI_KERNEL;
    fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    fault.is_write = (registers[REG_ERR] & kWrite) != 0;
    fault.is_on_stack = is_full(static_cast<std::uintptr_t>(registers[REG_RSP]), fault.address);
  }
  report_of_process->fault = fault;
  _exit(1);
}

void on_exit_of_process(int code, void* /*unused*/) {
  report_of_process->has_exited = true;
  report_of_process->exit_code = code;
  _exit(1);
}

}  // namespace

void watch_process(Report& report) {
  report_of_process = &report;
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) {
    sigaction(signal, &action, nullptr);
  }
  on_exit(on_exit_of_process, nullptr);  // the last that is named is the first that is called
}

void watch_stack_of_thread() {
  if (stack_of_thread.first != 0) {
    return;
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* first = nullptr;
    std::size_t bytes = 0;
    std::size_t guard = 0;
    pthread_attr_getstack(&attributes, &first, &bytes);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    stack_of_thread.first = reinterpret_cast<std::uintptr_t>(first);
    stack_of_thread.guard = guard;
  }
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0) {
    return;  // a sanitizer has made one, which it takes back itself
  }
  stack = {};
  stack.ss_sp = stack_of_thread.for_handler.data();
  stack.ss_size = stack_of_thread.for_handler.size();
  sigaltstack(&stack, nullptr);
}

}  // namespace ridge::execute
