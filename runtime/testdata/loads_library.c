/* dlopen and dlclose of an instrumented library, with a thread that was there before it. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static void (*work)(uint64_t);

static void* waiting_worker(void* count_one) {
  (*(void (**)(void))count_one)();
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  work(5); /* registered after this thread had attached */
  return NULL;
}

int load_library_three_times(const char* path, void (*count_one)(void));
int load_library_three_times(const char* path, void (*count_one)(void)) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, waiting_worker, &count_one);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      return 1;
    }
    *(void**)&work = dlsym(library, "emulated_work");
    work(4);
    if (i == 0) {
      pthread_barrier_wait(&barrier);
      pthread_join(thread, NULL);
    }
    dlclose(library);
  }
  return dlerror() != NULL; /* ours must not be left over */
}
