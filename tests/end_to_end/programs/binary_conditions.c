// A program as it is in unusual conditions: each word is one, and its work is known. Every turn
// of a loop here is one multiplication and one addition.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 200, kAlarms = 3, kStubs = 1000 };

static volatile double result;
static volatile sig_atomic_t alarms;

__attribute__((noinline)) double step(double x, long turns) {
  for (long i = 0; i < turns; ++i) {
    x = x * 0.5 + 1.0;
  }
  return x;
}

__attribute__((noinline)) double step_in_handler(double x, long turns) {
  for (long i = 0; i < turns; ++i) {
    x = x * 0.25 + 1.0;
  }
  return x;
}

// Thread k does `turns` + k.
static void* in_thread(void* turns) {
  result = step(1.0, (long)turns);
  return NULL;
}

static void threads(long turns) {
  pthread_t all[kThreads];
  for (long k = 0; k < kThreads; ++k) {
    if (pthread_create(&all[k], NULL, in_thread, (void*)(turns + k)) != 0) {
      exit(9);
    }
  }
  for (int k = 0; k < kThreads; ++k) {
    pthread_join(all[k], NULL);
  }
}

static void in_child(pid_t child, const char* program, const char* turns) {
  if (child == 0) {
    execl(program, program, "alone", turns, NULL);
    _exit(9);
  }
  int status = 9;
  waitpid(child, &status, 0);
  if (status != 0) {
    exit(9);
  }
}

// The library has its own function `of_library`. It comes and goes 5 times.
static void library(const char* file, long turns) {
  for (int i = 0; i < 5; ++i) {
    void* handle = dlopen(file, RTLD_NOW);
    if (handle == NULL) {
      exit(9);
    }
    double (*function)(double, long) = (double (*)(double, long))dlsym(handle, "of_library");
    result = function(1.0, turns);
    dlclose(handle);
  }
}

static void on_alarm(int number) {
  (void)number;
  if (alarms < kAlarms) {
    result = step_in_handler(1.0, 100);
    alarms = alarms + 1;
  }
}

static void with_alarms(long turns) {
  signal(SIGALRM, on_alarm);
  const struct itimerval often = {{0, 2000}, {0, 2000}};
  setitimer(ITIMER_REAL, &often, NULL);
  result = step(1.0, turns);
  while (alarms < kAlarms) {
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

// addsd or mulsd, then ret: one flop each. Each stub is called, written over, called.
static void made_code(long turns) {
  static const unsigned char kAdd[] = {0xf2, 0x0f, 0x58, 0xc0, 0xc3};
  static const unsigned char kMultiply[] = {0xf2, 0x0f, 0x59, 0xc0, 0xc3};
  const size_t bytes = 16 * kStubs;
  unsigned char* code =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    exit(9);
  }
  for (int again = 0; again < 2; ++again) {
    for (int k = 0; k < kStubs; ++k) {
      memcpy(code + 16 * k, again == 0 ? kAdd : kMultiply, sizeof kAdd);
      double (*stub)(double) = (double (*)(double))(void*)(code + 16 * k);
      for (long i = 0; i < turns; ++i) {
        result = stub(1.0);
      }
    }
  }
  munmap(code, bytes);
}

// Each run adds a byte to the file. The one after `runs` of them says by the file beside it that it
// is there, and stays.
static int stay_after(long runs, const char* file, const char* beside) {
  FILE* log = fopen(file, "a");
  fputc('.', log);
  const long begun = ftell(log);
  fclose(log);
  if (begun <= runs) {
    return 3;
  }
  fclose(fopen(beside, "w"));
  for (;;) {
    pause();
  }
}

// Words: what to do, turns, the files that it needs.
int main(int count, char** words) {
  const char* what = words[1];
  const long turns = atol(words[2]);
  if (strcmp(what, "alone") == 0) {
    result = step(1.0, turns);
  } else if (strcmp(what, "print") == 0) {
    result = step(1.0, turns);
    printf("result %g\n", result);
  } else if (strcmp(what, "read") == 0) {
    result = step(1.0, turns);
    return getchar() == EOF ? 0 : 9;
  } else if (strcmp(what, "threads") == 0) {
    threads(turns);
  } else if (strcmp(what, "fork") == 0 && count > 3) {
    in_child(fork(), words[3], words[2]);
    result = step(1.0, 1000);
  } else if (strcmp(what, "vfork") == 0 && count > 3) {
    in_child(vfork(), words[3], words[2]);
    result = step(1.0, 1000);
  } else if (strcmp(what, "library") == 0 && count > 3) {
    library(words[3], turns);
  } else if (strcmp(what, "alarms") == 0) {
    with_alarms(turns);
  } else if (strcmp(what, "code") == 0) {
    made_code(turns);
  } else if (strcmp(what, "memory") == 0 && count > 3) {
    result = step(1.0, turns);
    return malloc((size_t)atol(words[3]) << 20) != NULL ? 0 : 9;
  } else if (strcmp(what, "stay") == 0 && count > 5) {
    result = step(1.0, turns);
    return stay_after(atol(words[3]), words[4], words[5]);
  } else {
    return 9;
  }
  return 0;
}
