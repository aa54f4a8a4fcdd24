#include "instrument/engine/record_writer.h"

#include <stddef.h>

static void flush(struct engine_writer* writer) {
  if (writer->used != 0 && !writer->failed) {
    writer->failed = !writer->sink.write(writer->sink.context, writer->buffer, writer->used);
  }
  writer->used = 0;
}

static void append(struct engine_writer* writer, const void* bytes, uint64_t count) {
  const unsigned char* from = bytes;
  while (count != 0) {
    if (writer->used == ENGINE_WRITER_BUFFER) {
      flush(writer);
    }
    const uint64_t room = ENGINE_WRITER_BUFFER - writer->used;
    const uint64_t piece = count < room ? count : room;
    /* NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.*): there is no C library */
    __builtin_memcpy(writer->buffer + writer->used, from, piece);
    writer->used += (uint32_t)piece;
    from += piece;
    count -= piece;
  }
}

/* A chunk that is shorter than it says cannot be mended: what follows would be taken for it. */
static void close_chunk(struct engine_writer* writer) {
  static const unsigned char zeros[8] = {0};
  writer->failed |= writer->left != 0;
  append(writer, zeros, writer->padding);
  writer->left = 0;
  writer->padding = 0;
}

void engine_record_begin(struct engine_writer* writer, const struct engine_sink* sink,
                         const struct ridge_record_header* header) {
  struct ridge_record_header filled = *header;
  filled.magic = RIDGE_RECORD_MAGIC;
  filled.version = RIDGE_RECORD_VERSION;
  writer->sink = *sink;
  writer->left = 0;
  writer->padding = 0;
  writer->used = 0;
  writer->failed = 0;
  append(writer, &filled, sizeof(filled));
}

void engine_record_open(struct engine_writer* writer, uint32_t kind, uint64_t bytes) {
  const struct ridge_record_chunk chunk = {.kind = kind, .bytes = bytes};
  close_chunk(writer);
  append(writer, &chunk, sizeof(chunk));
  writer->left = bytes;
  writer->padding = -bytes & 7;
}

void engine_record_put(struct engine_writer* writer, const void* bytes, uint64_t count) {
  const uint64_t taken = count < writer->left ? count : writer->left;
  append(writer, bytes, taken);
  writer->left -= taken;
}

void engine_record_chunk(struct engine_writer* writer, uint32_t kind, const void* first,
                         uint64_t first_bytes, const void* second, uint64_t second_bytes) {
  engine_record_open(writer, kind, first_bytes + second_bytes);
  engine_record_put(writer, first, first_bytes);
  engine_record_put(writer, second, second_bytes);
}

int engine_record_end(struct engine_writer* writer) {
  engine_record_open(writer, RIDGE_RECORD_END, 0);
  close_chunk(writer);
  flush(writer);
  return !writer->failed;
}
