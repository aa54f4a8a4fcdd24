/* What the made wrappers (mpi_functions.py) and the code behind them (mpi_layer.c) share. */
#ifndef RIDGE_INSTRUMENT_CALLS_MPI_LAYER_H
#define RIDGE_INSTRUMENT_CALLS_MPI_LAYER_H

#include <stdint.h>

/* An argument or a result of a function of MPI, on x86-64. Upper halves of those that are int hold
 * anything. */
typedef uintptr_t word;

/* Most arguments of a function in Fortran; more than a function has does no harm. */
enum { WORDS = 16 };

enum bytes_rule {
  BYTES_NONE,     /* it moves none */
  BYTES_UNKNOWN,  /* it moves some */
  BYTES_ELEMENTS, /* count elements of type */
  BYTES_ROOTED,   /* the same, unless buffer is MPI_IN_PLACE or root is none of this group: none */
  BYTES_OWN,      /* the same, unless buffer is MPI_IN_PLACE: then the others */
  BYTES_EACH,     /* the same for each peer */
  BYTES_SUM,      /* the sum of counts[peers] elements of type; in place: not known */
  BYTES_SUM_OF_TYPES,
  BYTES_PEERS,   /* count elements of type for each peer */
  BYTES_RECEIVED /* the message that came */
};

enum waiting_rule {
  WAITING_UNTOLD,
  WAITING_ALL,
  WAITING_BEFORE, /* up to the end of a barrier */
  WAITING_MESSAGE /* until a message is there */
};

/* What of its bytes must travel between ranks, at least, and as how many messages. */
enum travel_rule {
  TRAVEL_NONE,
  TRAVEL_SEND,  /* all, to root, here the other rank: one message unless there is none or itself */
  TRAVEL_ALL,   /* all, where the communicator has others: one message */
  TRAVEL_CHILD, /* all, of each rank but the root: one message */
  TRAVEL_PEERS  /* all but the rank's own block: one message */
};

/* Places of arguments: 0 is none, 1 the first. */
struct mpi_function {
  const char* name;
  unsigned char bytes;   /* enum bytes_rule */
  unsigned char waiting; /* enum waiting_rule */
  unsigned char travel;  /* enum travel_rule */
  unsigned char buffer, count, type, other_count, other_type, comm, window, root, source, tag,
      status;
  unsigned char is_large;   /* counts are MPI_Count */
  unsigned char begins_mpi; /* afterwards the process has a rank */
};

enum mpi_form { MPI_FORM = 0, PMPI_FORM = 1 };

extern const struct mpi_function mpi_functions[];
extern void** const mpi_reals[2]; /* by form and function; null: not looked for yet */
extern const char* const mpi_fortran_names[];
extern void* mpi_fortran_real[];

word mpi_call(unsigned function, enum mpi_form form, const word* words, const void* caller);
/* Fortran's functions call C's, but for where the call comes from. */
word mpi_fortran_call(unsigned function, const word* words, const void* caller);

#endif
