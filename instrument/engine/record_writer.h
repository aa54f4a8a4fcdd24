/* Writes a record (abi/record.h) piece by piece through a buffer. Freestanding; one caller at a
 * time. After a write that failed nothing more is written, and engine_record_end says so. */
#ifndef RIDGE_INSTRUMENT_ENGINE_RECORD_WRITER_H
#define RIDGE_INSTRUMENT_ENGINE_RECORD_WRITER_H

#include <stdint.h>

#include "abi/record.h"

/* Where the bytes go. `write` takes all of them, or returns 0. */
struct engine_sink {
  int (*write)(void* context, const void* bytes, uint64_t count);
  void* context;
};

enum { ENGINE_WRITER_BUFFER = 1 << 15 };

struct engine_writer {
  struct engine_sink sink;
  uint64_t left; /* bytes that the open chunk still lacks */
  uint64_t padding;
  uint32_t used; /* of the buffer */
  int failed;
  unsigned char buffer[ENGINE_WRITER_BUFFER];
};

/* Begins a record: the header without magic and version, which are filled in. */
void engine_record_begin(struct engine_writer* writer, const struct engine_sink* sink,
                         const struct ridge_record_header* header);

/* A chunk whose contents are two pieces, one behind the other; either may be empty. */
void engine_record_chunk(struct engine_writer* writer, uint32_t kind, const void* first,
                         uint64_t first_bytes, const void* second, uint64_t second_bytes);

/* A chunk in as many pieces as wanted, which are `bytes` together. What is beyond is left out;
 * what is missing when the next chunk begins makes the record a failed one. */
void engine_record_open(struct engine_writer* writer, uint32_t kind, uint64_t bytes);
void engine_record_put(struct engine_writer* writer, const void* bytes, uint64_t count);

/* The last chunk. False if any of the record could not be written. */
int engine_record_end(struct engine_writer* writer);

#endif
