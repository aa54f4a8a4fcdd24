/* In which file a module's code lies, for whoever reads the machine code after the run. */
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/state.h"

enum { PATH_BYTES_MAX = 4096 };

/* Appends to `path`, which holds `length` bytes; returns the new length, or 0 where it does not
 * fit. */
static uint64_t append(char* path, uint64_t length, const char* text) {
  for (; *text != '\0'; ++text) {
    if (length + 1 >= PATH_BYTES_MAX) {
      return 0;
    }
    path[length++] = *text;
  }
  path[length] = '\0';
  return length;
}

static uint64_t read_link(const char* link, char* path) {
  const ssize_t length = readlink(link, path, PATH_BYTES_MAX - 1);
  if (length <= 0) {
    return 0;
  }
  path[length] = '\0';
  return (uint64_t)length;
}

/* Absolute, since the program may change its folder. Returns the length, 0 = unknown. */
static uint64_t path_of(const char* file, char* path) {
  if (file == NULL || file[0] == '\0') {
    return file == NULL ? 0 : read_link("/proc/self/exe", path);
  }
  if (file[0] == '/') {
    return append(path, 0, file);
  }
  const uint64_t folder = read_link("/proc/self/cwd", path);
  const uint64_t slash = folder != 0 ? append(path, folder, "/") : 0;
  return slash != 0 ? append(path, slash, file) : 0;
}

static uint64_t padded(uint32_t bytes) {
  return ((uint64_t)bytes + 3) & ~(uint64_t)3;
}

/* Looks for the build ID in one segment of notes. */
static int take_build_id(const unsigned char* notes, uint64_t bytes,
                         struct ridge_module_record* record) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr)* note = (const void*)notes;
    const uint64_t whole = sizeof(*note) + padded(note->n_namesz) + padded(note->n_descsz);
    if (whole > bytes) {
      return 0;
    }
    const unsigned char* id = notes + sizeof(*note) + padded(note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && notes[sizeof(*note)] == 'G') {
      record->build_id_bytes =
          note->n_descsz < RIDGE_BUILD_ID_BYTES ? note->n_descsz : RIDGE_BUILD_ID_BYTES;
      ridge_copy(record->build_id, id, record->build_id_bytes);
      return 1;
    }
    notes += whole;
    bytes -= whole;
  }
  return 0;
}

static void find_build_id(const unsigned char* image, struct ridge_module_record* record) {
  const ElfW(Ehdr)* header = (const void*)image;
  if (image == NULL || header->e_ident[EI_MAG0] != ELFMAG0 || header->e_ident[EI_MAG1] != 'E') {
    return;
  }
  const ElfW(Phdr)* segments = (const void*)(image + header->e_phoff);
  const ElfW(Phdr)* first = NULL;
  for (uint32_t i = 0; i < header->e_phnum; ++i) {
    first = first == NULL && segments[i].p_type == PT_LOAD ? &segments[i] : first;
  }
  for (uint32_t i = 0; first != NULL && i < header->e_phnum; ++i) {
    /* Those that the first segment loads, which begins with the header. */
    const uint64_t at = segments[i].p_vaddr - first->p_vaddr;
    if (segments[i].p_type == PT_NOTE && at + segments[i].p_filesz <= first->p_filesz &&
        take_build_id(image + at, segments[i].p_filesz, record)) {
      return;
    }
  }
}

void ridge_describe_file(const struct ridge_module* module, struct ridge_module_record* record) {
  char path[PATH_BYTES_MAX];
  const uint64_t length = path_of(ridge_file_at(module), path);
  if (length == 0) {
    return;
  }
  void* copy = ridge_allocate(length + 1, length + 1, 64, &record->file);
  if (record->file != 0) {
    ridge_copy(copy, path, length + 1);
    record->file_bytes = length + 1;
    find_build_id(ridge_image_at(module), record);
  }
}
