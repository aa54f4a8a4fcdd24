/* load_among_threads LIBRARY...: while threads run, loads each, calls its `plugin_work`, unloads
 * it. The threads end when all have been. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, LEAST_PASSES = 100, MEMBERS = 1 << 13 };

static atomic_int loaded_all;
double numbers[MEMBERS]; /* whose values the compiler does not know */

static void* sum(void* result) {
  for (int pass = 0; pass < LEAST_PASSES || !loaded_all; ++pass) {
    double all = 0;
    for (int i = 0; i < MEMBERS; ++i) {
      all += numbers[i];
    }
    *(volatile double*)result = all;
  }
  return NULL;
}

static int call(const char* name) {
  void* library = dlopen(name, RTLD_NOW);
  double (*function)(long) = library ? (double (*)(long))dlsym(library, "plugin_work") : NULL;
  if (!function) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  function(500);
  return dlclose(library);
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  double results[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    pthread_create(&threads[i], NULL, sum, &results[i]);
  }
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    failed |= call(argv[i]);
  }
  loaded_all = 1;
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
  }
  return failed;
}
