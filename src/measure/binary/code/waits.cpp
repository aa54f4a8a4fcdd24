#include "measure/binary/code/waits.hpp"

#include <algorithm>
#include <array>

#include "machine_code/decode.hpp"
#include "measure/code/names.hpp"

namespace ridge::measure::binary {
namespace {

struct Known {
  std::string_view begin;     ///< of the function's name
  std::string_view contains;  ///< empty: anything
  std::string_view runtime;   ///< empty: the file's name
  WaitKind kind;
};

constexpr std::array kKnown{
    Known{"gomp_team_barrier_wait", "", "libgomp", WaitKind::barrier},
    Known{"gomp_barrier_wait", "", "libgomp", WaitKind::barrier},
    Known{"GOMP_barrier", "", "libgomp", WaitKind::barrier},
    Known{"gomp_simple_barrier_wait", "", "libgomp", WaitKind::barrier},
    Known{"gomp_mutex_lock_slow", "", "libgomp", WaitKind::lock},
    Known{"gomp_mutex_lock", "", "libgomp", WaitKind::lock},
    Known{"gomp_ptrlock_get_slow", "", "libgomp", WaitKind::lock},
    Known{"gomp_ordered_sync", "", "libgomp", WaitKind::lock},
    Known{"gomp_doacross_wait", "", "libgomp", WaitKind::lock},
    Known{"gomp_sem_wait", "", "libgomp", WaitKind::task},
    Known{"GOMP_taskwait", "", "libgomp", WaitKind::task},
    Known{"gomp_team_end", "", "libgomp", WaitKind::join},
    Known{"do_spin", "", "libgomp", WaitKind::other},
    Known{"do_wait", "", "libgomp", WaitKind::other},
    Known{"futex_wait", "", "", WaitKind::other},
    Known{"__kmp_join_barrier", "", "libomp", WaitKind::join},
    Known{"__kmp_fork_barrier", "", "libomp", WaitKind::join},
    Known{"__kmp_", "barrier", "libomp", WaitKind::barrier},
    Known{"__kmp_wait_template", "", "libomp", WaitKind::other},
    Known{"__kmp_flag_", "wait", "libomp", WaitKind::other},
    Known{"__kmp_wait_", "", "libomp", WaitKind::other},
    Known{"__kmp_suspend_", "", "libomp", WaitKind::other},
    Known{"__kmp_acquire_", "lock", "libomp", WaitKind::lock},
    Known{"__kmp_", "taskwait", "libomp", WaitKind::task},
    Known{"__kmp_execute_tasks", "", "libomp", WaitKind::task},
    Known{"__kmp_", "_lock", "libomp", WaitKind::lock},
    Known{"__kmp_x86_pause", "", "libomp", WaitKind::other},
    Known{"__kmp_yield", "", "libomp", WaitKind::other},
    Known{"opal_progress", "", "MPI", WaitKind::other},
    Known{"mca_btl_", "progress", "MPI", WaitKind::other},
    Known{"mca_pml_", "progress", "MPI", WaitKind::other},
    Known{"ompi_request_", "wait", "MPI", WaitKind::other},
    Known{"ucp_worker_progress", "", "MPI", WaitKind::other},
    Known{"uct_", "progress", "MPI", WaitKind::other},
    Known{"MPIDI_", "rogress", "MPI", WaitKind::other},
    Known{"MPIR_", "rogress", "MPI", WaitKind::other},
    Known{"MPIR_Wait", "", "MPI", WaitKind::other},
    Known{"psm2_", "poll", "MPI", WaitKind::other},
    Known{"__futex_abstimed_wait", "", "", WaitKind::other},
    Known{"__lll_lock_wait", "", "", WaitKind::lock},
    Known{"__GI___lll_lock_wait", "", "", WaitKind::lock},
    Known{"pthread_cond_wait", "", "", WaitKind::other},
    Known{"__pthread_cond_wait", "", "", WaitKind::other},
    Known{"pthread_barrier_wait", "", "", WaitKind::barrier},
    Known{"__pthread_barrier_wait", "", "", WaitKind::barrier},
    Known{"__pthread_clockjoin", "", "", WaitKind::other},
    Known{"pthread_spin_lock", "", "", WaitKind::lock},
    Known{"sem_wait", "", "", WaitKind::other},
};

constexpr std::array<std::string_view, 3> kOpenMp{"libgomp", "libomp", "libiomp5"};

/// "libgomp" for "/usr/lib/libgomp.so.1", "libomp" for "libomp-19.so.5".
std::string library_of(std::string_view path) {
  const std::string_view name = file_name(path);
  return std::string(name.substr(0, name.find_first_of(".-")));
}

bool is_openmp(std::string_view library) {
  return std::ranges::find(kOpenMp, library) != kOpenMp.end();
}

std::string_view words(WaitKind kind) {
  switch (kind) {
    case WaitKind::join:
      return ": end of a parallel region";
    case WaitKind::barrier:
      return ": barrier";
    case WaitKind::lock:
      return ": lock";
    case WaitKind::task:
      return ": tasks";
    case WaitKind::other:
      break;
  }
  return "";
}

RuntimeWait make(WaitKind kind, std::string_view runtime) {
  return {kind, "waits in " + std::string(runtime) + std::string(words(kind))};
}

}  // namespace

std::optional<RuntimeWait> runtime_wait(std::string_view function, std::string_view path) {
  const auto known = std::ranges::find_if(kKnown, [&](const Known& entry) {
    return function.starts_with(entry.begin) &&
           function.find(entry.contains) != std::string_view::npos;
  });
  if (known == kKnown.end()) {
    return std::nullopt;
  }
  // LLVM's runtime has the functions of GNU's as well; a program may contain a runtime.
  const std::string library = library_of(path);
  const bool by_file = known->runtime.empty() || is_openmp(library);
  return make(known->kind, by_file ? library : std::string(known->runtime));
}

std::optional<RuntimeWait> nameless_wait(const machine_code::Function& function,
                                         std::string_view path) {
  const auto has = [&](const auto& predicate) {
    return std::ranges::any_of(function.instructions, predicate);
  };
  const auto is_called = [](std::string_view text) {
    return [text](const auto& instruction) {
      return machine_code::mnemonic_text(machine_code::Architecture::x86_64,
                                         instruction.mnemonic) == text;
    };
  };
  const std::string library = library_of(path);
  if (is_openmp(library)) {
    const bool waits = has(is_called("pause")) || has([](const auto& instruction) {
                         return instruction.flow == machine_code::Flow::system_call;
                       });
    return waits ? std::optional(make(WaitKind::other, library)) : std::nullopt;
  }
  // Open MPI polls its transports, and reads the clock in between; data are copied by the C library
  // or the kernel.
  const std::string_view file = file_name(path);
  const bool polls =
      file.starts_with("mca_btl_") || (file.starts_with("libopen-pal.") && has(is_called("rdtsc")));
  return polls ? std::optional(make(WaitKind::other, "MPI")) : std::nullopt;
}

}  // namespace ridge::measure::binary
