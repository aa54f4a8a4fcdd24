/* A family for tests that kill ridge: a child, one in a session of its own and one whose parent has
 * ended. All of them work, in the first run until FOLDER/go is there, in the second for ever.
 *     faults_tree FOLDER         FOLDER/pids, FOLDER/pids2: one process id a line, of each run
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

static const char* folder;

static const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

/* In one write each: several processes append. */
static void append(const char* name, const char* line) {
  const int file = open(path_of(name), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || write(file, line, strlen(line)) < 0) exit(9);
  close(file);
}

static int work_until_told(int is_first) {
  char line[32];
  double sum = 0.0;
  snprintf(line, sizeof(line), "%d\n", (int)getpid());
  append(is_first ? "pids" : "pids2", line);
  while (!is_first || access(path_of("go"), F_OK) != 0) sum += work(100000);
  return sum > 0.0 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  folder = argv[1];
  const int is_first = access(path_of("first"), F_OK) != 0;
  append("first", "");
  if (fork() == 0) return work_until_told(is_first);
  if (fork() == 0) {
    setsid();
    return work_until_told(is_first);
  }
  if (fork() == 0) {
    if (fork() == 0) return work_until_told(is_first);
    return 0;
  }
  return work_until_told(is_first);
}
