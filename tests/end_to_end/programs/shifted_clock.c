/* In front of the C library: the time of day is CLOCK_SHIFT seconds off, as on a node whose clock
 * is wrong. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  const char* shift = getenv("CLOCK_SHIFT");
  const long failed = syscall(SYS_clock_gettime, clock, now);
  if (failed == 0 && clock == CLOCK_REALTIME && shift != NULL) {
    now->tv_sec += atol(shift);
  }
  return (int)failed;
}

time_t time(time_t* kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept != NULL) {
    *kept = now.tv_sec;
  }
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  struct timespec precise;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}
