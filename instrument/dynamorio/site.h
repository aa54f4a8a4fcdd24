/* Accesses whose lanes or length are known only when they are executed. Generated code writes what
 * it sees into the raw trace; client_expand makes entries of it when the trace is taken.
 *
 * Such an access begins with an entry whose flags have CLIENT_TRACE_SITE: the address, and meta
 * with the bytes of a lane or element. Behind it an entry of struct client_site_entry, and then as
 * many entries of index and mask vectors as client_site_entries says. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_SITE_H
#define RIDGE_INSTRUMENT_DYNAMORIO_SITE_H

#include <stdint.h>

#include "abi/layout.h"

enum { CLIENT_TRACE_SITE = 128 };

enum client_site_kind {
  CLIENT_SITE_MASKED = 1, /* lanes side by side, those of the mask */
  CLIENT_SITE_PACKED,     /* as many elements side by side as the mask has bits */
  CLIENT_SITE_SHARED,     /* one element that all lanes of the mask share */
  CLIENT_SITE_INDEXED,    /* gather and scatter */
  CLIENT_SITE_REPEATED    /* repeated string instruction: `value` is the address behind it */
};

/* Fits into a constant of 64 bits, as which generated code knows it. */
struct client_site {
  uint8_t kind;       /* enum client_site_kind */
  uint8_t lanes;      /* bits of the mask that mean something: 1 to 64 */
  uint8_t mask_bytes; /* of an element of the mask vector, of which the highest bit counts;
                         0: the mask is `value` */
  uint8_t index_bytes;
  uint8_t scale;
  uint8_t reserved[3];
};

struct client_site_entry {
  struct client_site site;
  uint64_t value;
};

enum {
  CLIENT_INDEX_ENTRIES = 4, /* 64 bytes */
  CLIENT_MASK_ENTRIES = 2,  /* 32 bytes */
  CLIENT_SITE_MOST_ENTRIES = 2 + CLIENT_INDEX_ENTRIES + CLIENT_MASK_ENTRIES
};

/* Entries of the access: 2 to CLIENT_SITE_MOST_ENTRIES. The index vector comes before the mask
 * vector. */
uint32_t client_site_entries(const struct client_site* site);

/* Calls `emit` for each piece of memory that was accessed. `first` is followed by the others. */
void client_expand(const struct ridge_trace_entry* first,
                   void (*emit)(void* context, uint64_t address, uint64_t meta), void* context);

#endif
