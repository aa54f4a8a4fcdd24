/* Loads the tool as Kokkos does and calls it as Kokkos would. Arguments: the library, n. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct space {
  char name[64];
};

static void* tool;

static void* function(const char* name) {
  void* found = dlsym(tool, name);
  if (found == NULL) {
    fprintf(stderr, "no %s\n", name);
    exit(1);
  }
  return found;
}

__attribute__((noinline)) static void add(double* a, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = a[i] + 1.5;
  }
}

typedef void (*begin_function)(const char* name, uint32_t device, uint64_t* kernel);
typedef void (*end_function)(uint64_t kernel);
typedef void (*name_function)(const char* name);
typedef void (*plain_function)(void);
typedef void (*section_function)(uint32_t section);

static void kernel(const char* kind, const char* name, double* a, long n) {
  char symbol[100];
  uint64_t id = 0;
  snprintf(symbol, sizeof(symbol), "kokkosp_begin_%s", kind);
  ((begin_function)function(symbol))(name, 0, &id);
  add(a, n);
  snprintf(symbol, sizeof(symbol), "kokkosp_end_%s", kind);
  ((end_function)function(symbol))(id);
}

int main(int argc, char** argv) {
  if (argc < 3 || (tool = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) == NULL) {
    fprintf(stderr, "%s\n", argc < 3 ? "usage: LIBRARY N" : dlerror());
    return 1;
  }
  const long n = atol(argv[2]);
  double* a = calloc((size_t)n, sizeof(*a));
  const struct space host = {"Host"};
  uint32_t section = 0;
  ((void (*)(int, uint64_t, uint32_t, void*))function("kokkosp_init_library"))(0, 20211015, 0,
                                                                               NULL);
  ((name_function)function("kokkosp_push_profile_region"))("time step");
  kernel("parallel_for", "axpy", a, n);
  kernel("parallel_for", "axpy", a, n);
  kernel("parallel_reduce", "dot", a, n);
  ((name_function)function("kokkosp_push_profile_region"))("inner");
  kernel("parallel_scan", "offsets", a, n);
  kernel("fence", "fence of the host", a, n);
  ((plain_function)function("kokkosp_pop_profile_region"))();
  ((plain_function)function("kokkosp_pop_profile_region"))();
  ((plain_function)function("kokkosp_pop_profile_region"))(); /* one too many */
  ((void (*)(const char*, uint32_t*))function("kokkosp_create_profile_section"))("section",
                                                                                 &section);
  ((section_function)function("kokkosp_start_profile_section"))(section);
  add(a, n);
  ((section_function)function("kokkosp_stop_profile_section"))(section);
  ((section_function)function("kokkosp_destroy_profile_section"))(section);
  ((void (*)(struct space, const char*, const void*, struct space, const char*, const void*,
             uint64_t))function("kokkosp_begin_deep_copy"))(host, "b", NULL, host, "a", NULL, 8);
  add(a, n);
  ((plain_function)function("kokkosp_end_deep_copy"))();
  ((plain_function)function("kokkosp_finalize_library"))();
  printf("%g\n", a[0]);
  free(a);
  return 0;
}
