/* A static program loads no library. */
int load_library_three_times(const char* path, void (*count_one)(void));
int load_library_three_times(const char* path, void (*count_one)(void)) {
  (void)path;
  count_one();
  return 0;
}
