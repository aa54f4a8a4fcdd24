/* For engines that look at stacks: engine_stacks MODE N, built by a plain compiler. inner is what
 * they find, called by outer. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each register holds 100 and its number in DWARF, but those of the stack and of the count. */
__attribute__((noinline)) long inner(long n) {
  __asm__ volatile(
      "mov $100, %%eax\n mov $101, %%edx\n mov $103, %%ebx\n mov $104, %%esi\n"
      "mov $105, %%edi\n mov $106, %%ebp\n mov $108, %%r8d\n mov $109, %%r9d\n"
      "mov $110, %%r10d\n mov $111, %%r11d\n mov $112, %%r12d\n mov $113, %%r13d\n"
      "mov $114, %%r14d\n mov $115, %%r15d\n"
      "1: dec %%rcx\n jnz 1b\n"
      : "+c"(n)
      :
      : "rax", "rdx", "rbx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
        "r15", "cc");
  return n;
}

__attribute__((noinline)) long outer(long n) {
  return inner(n) + 1;
}

__attribute__((noinline)) long other(long n) {
  __asm__ volatile("1: dec %0\n jnz 1b\n" : "+r"(n) : : "cc");
  return n;
}

static void* in_thread(void* n) {
  return (void*)outer((long)n);
}

static void with_threads(long n) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, in_thread, (void*)n);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
  }
  other(2 * n);
}

/* The child goes on where the parent only waits. */
static void in_child(long n) {
  other(n);
  if (fork() == 0) {
    _exit((int)outer(n));
  }
  wait(NULL);
}

int main(int argc, char** argv) {
  const long n = atol(argv[argc - 1]);
  long sum = 0;
  if (strcmp(argv[1], "threads") == 0) {
    with_threads(n);
  } else if (strcmp(argv[1], "fork") == 0) {
    in_child(n);
  } else {
    for (int i = 0; i < 100; ++i) { /* each time a stop of the thread */
      sum += outer(n / 100) + (getppid() < 0);
    }
  }
  return sum < 0;
}
