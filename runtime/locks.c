#include <errno.h>
#include <signal.h>

#include "runtime/state.h"

_Static_assert(sizeof(sigset_t) <= sizeof(((struct ridge_guard*)0)->signals), "sigset_t grew");

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
