/* plugin_host LIBRARY...: loads each, calls its `plugin_work`, unloads it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  double sum = 0.0;
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW);
    if (!library) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    double (*function)(long) = (double (*)(long))dlsym(library, "plugin_work");
    if (!function) return 1;
    sum += function(500);
    dlclose(library);
  }
  printf("%.1f\n", sum);
  return 0;
}
