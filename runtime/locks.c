#include <errno.h>
#include <signal.h>

#include "runtime/state.h"

_Static_assert(sizeof(sigset_t) <= sizeof(((struct ridge_guard*)0)->signals), "sigset_t grew");

void ridge_rest(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/* For some 0.5 ms (Zen 5); a batch takes 0.03 to 0.3. */
static int wait_awake(pthread_mutex_t* lock) {
  enum { TURNS = 512, PAUSES = 32 };
  for (int turn = 0; turn < TURNS; ++turn) {
    if (pthread_mutex_trylock(lock) == 0) {
      return 1;
    }
    for (int i = 0; i < PAUSES; ++i) {
      ridge_rest();
    }
  }
  return 0;
}

void ridge_lock_awake(pthread_mutex_t* lock) {
  if (pthread_mutex_trylock(lock) != 0 && (!ridge_runtime.waits_awake || !wait_awake(lock))) {
    pthread_mutex_lock(lock);
  }
}

void ridge_wait_to_simulate(void) {
  if (pthread_mutex_trylock(&ridge_runtime.simulate_lock) == 0) {
    return;
  }
  ridge_stop_simulation();
  pthread_mutex_unlock(&ridge_runtime.next_lock);
}

/* Who simulates goes on from batch to batch, unless somebody wants the lock. */
void ridge_stop_simulation(void) {
  pthread_mutex_lock(&ridge_runtime.next_lock);
  atomic_fetch_add(&ridge_runtime.simulation_wanted, 1);
  ridge_lock_awake(&ridge_runtime.simulate_lock);
  atomic_fetch_sub(&ridge_runtime.simulation_wanted, 1);
}

void ridge_resume_simulation(void) {
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  pthread_mutex_unlock(&ridge_runtime.next_lock);
}

void ridge_enter(struct ridge_guard* guard) {
  sigset_t all;
  guard->error = errno;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, (sigset_t*)guard->signals);
}

void ridge_leave(const struct ridge_guard* guard) {
  pthread_sigmask(SIG_SETMASK, (const sigset_t*)guard->signals, NULL);
  errno = guard->error;
}
