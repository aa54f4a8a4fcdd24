/* A program without MPI. It asks by a weak reference (no argument) or by name ("name") whether
 * there is some, or opens the plugin that its argument names, which brings its own along. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

extern int MPI_Barrier(int) __attribute__((weak));

int main(int count, char** words) {
  if (MPI_Barrier != NULL) {
    puts("parallel");
    return MPI_Barrier(0);
  }
  puts("serial");
  if (count > 1 && strcmp(words[1], "name") == 0) {
    int (*barrier)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "MPI_Barrier");
    return barrier != NULL ? barrier(0) : 0;
  }
  if (count > 1) {
    void* plugin = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    int (*solve)(void) = plugin != NULL ? (int (*)(void))dlsym(plugin, "solve") : NULL;
    printf("%s\n", solve != NULL ? "opened" : dlerror());
    return solve != NULL ? solve() : 1;
  }
  return 0;
}
