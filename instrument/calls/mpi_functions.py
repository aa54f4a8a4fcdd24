#!/usr/bin/env python3
"""The functions of MPI that the layer stands in front of, and the C file with their wrappers.

    mpi_functions.py OUTPUT.c

Every argument of an MPI function is an integer or a pointer, which x86-64 passes alike: a wrapper of words serves every
implementation, whether its handles are pointers (Open MPI) or numbers (MPICH and what is derived from it). No mpi.h is read."""

import sys

# A row: name, arguments, where they stand (0 is the first), what the bytes are, what is waiting.
#   bytes:    none; unknown; ELEMENTS count type; ROOTED buffer count type root: none with MPI_IN_PLACE and beside the root of an
#             inter-communicator; OWN buffer count type other_count other_type (the others with MPI_IN_PLACE; "-": then unknown);
#             EACH like OWN, for every peer of the communicator; SUM counts type comm; SUM_OF_TYPES counts types comm;
#             PEERS count type comm; RECEIVED count type status
#   waiting:  untold; all; BEFORE comm: a barrier of ours in front of it; MESSAGE source tag comm: a probe of ours in front of it
# "+c": there is a form with large counts (MPI-4), NAME_c.
FUNCTIONS = """
Init 2; untold
Init_thread 4; untold
Finalize 0; untold
Abort 2; untold

Send 6; ELEMENTS 1 2; untold; +c
Bsend 6; ELEMENTS 1 2; untold; +c
Ssend 6; ELEMENTS 1 2; untold; +c
Rsend 6; ELEMENTS 1 2; untold; +c
Isend 7; ELEMENTS 1 2; untold; +c
Ibsend 7; ELEMENTS 1 2; untold; +c
Issend 7; ELEMENTS 1 2; untold; +c
Irsend 7; ELEMENTS 1 2; untold; +c
Recv 7; RECEIVED 1 2 6; MESSAGE 3 4 5; +c
Mrecv 5; RECEIVED 1 2 4; untold; +c
Irecv 7; unknown; untold; +c
Imrecv 5; unknown; untold; +c
Sendrecv 12; ELEMENTS 1 2; untold; +c
Sendrecv_replace 9; ELEMENTS 1 2; untold; +c
Send_init 7; untold; +c
Bsend_init 7; untold; +c
Ssend_init 7; untold; +c
Rsend_init 7; untold; +c
Recv_init 7; untold; +c
Start 1; unknown; untold
Startall 2; unknown; untold

Wait 2; all
Waitall 3; all
Waitany 4; all
Waitsome 5; all
Test 3; untold
Testall 4; untold
Testany 5; untold
Testsome 5; untold
Probe 4; all
Iprobe 5; untold
Mprobe 5; all
Improbe 6; untold
Request_free 1; untold
Cancel 1; untold

Barrier 1; all
Bcast 5; ELEMENTS 1 2; untold; +c
Reduce 7; ELEMENTS 2 3; untold; +c
Allreduce 6; ELEMENTS 2 3; BEFORE 5; +c
Scan 6; ELEMENTS 2 3; untold; +c
Exscan 6; ELEMENTS 2 3; untold; +c
Gather 8; ROOTED 0 1 2 6; untold; +c
Gatherv 9; ROOTED 0 1 2 7; untold; +c
Scatter 8; ROOTED 3 4 5 6; untold; +c
Scatterv 9; ROOTED 4 5 6 7; untold; +c
Allgather 7; OWN 0 1 2 4 5; BEFORE 6; +c
Allgatherv 8; OWN 0 1 2 - -; BEFORE 7; +c
Alltoall 7; EACH 0 1 2 4 5 6; BEFORE 6; +c
Alltoallv 9; SUM 0 1 3 8; BEFORE 8; +c
Alltoallw 9; SUM_OF_TYPES 0 1 3 8; BEFORE 8; +c
Reduce_scatter 6; SUM - 2 3 5; BEFORE 5; +c
Reduce_scatter_block 6; PEERS 2 3 5; BEFORE 5; +c
Ibarrier 2; untold
Ibcast 6; ELEMENTS 1 2; untold; +c
Ireduce 8; ELEMENTS 2 3; untold; +c
Iallreduce 7; ELEMENTS 2 3; untold; +c
Iscan 7; ELEMENTS 2 3; untold; +c
Iexscan 7; ELEMENTS 2 3; untold; +c
Igather 9; ROOTED 0 1 2 6; untold; +c
Igatherv 10; ROOTED 0 1 2 7; untold; +c
Iscatter 9; ROOTED 3 4 5 6; untold; +c
Iscatterv 10; ROOTED 4 5 6 7; untold; +c
Iallgather 8; OWN 0 1 2 4 5; untold; +c
Iallgatherv 9; OWN 0 1 2 - -; untold; +c
Ialltoall 8; EACH 0 1 2 4 5 6; untold; +c
Ialltoallv 10; SUM 0 1 3 8; untold; +c
Ialltoallw 10; SUM_OF_TYPES 0 1 3 8; untold; +c
Ireduce_scatter 7; SUM - 2 3 5; untold; +c
Ireduce_scatter_block 7; PEERS 2 3 5; untold; +c
Neighbor_allgather 7; ELEMENTS 1 2; untold; +c
Neighbor_allgatherv 8; ELEMENTS 1 2; untold; +c
Neighbor_alltoall 7; unknown; untold; +c
Neighbor_alltoallv 9; unknown; untold; +c
Neighbor_alltoallw 9; unknown; untold; +c
Ineighbor_allgather 8; ELEMENTS 1 2; untold; +c
Ineighbor_allgatherv 9; ELEMENTS 1 2; untold; +c
Ineighbor_alltoall 8; unknown; untold; +c
Ineighbor_alltoallv 10; unknown; untold; +c
Ineighbor_alltoallw 10; unknown; untold; +c

Comm_dup 2; untold
Comm_idup 3; untold
Comm_dup_with_info 3; untold
Comm_split 4; untold
Comm_split_type 5; untold
Comm_create 3; untold
Comm_create_group 4; untold
Comm_free 1; untold
Comm_disconnect 1; untold
Cart_create 6; untold
Dist_graph_create 9; untold
Dist_graph_create_adjacent 10; untold
Intercomm_create 6; untold
Intercomm_merge 3; untold

Put 8; ELEMENTS 1 2; untold; +c
Get 8; ELEMENTS 1 2; untold; +c
Accumulate 9; ELEMENTS 1 2; untold; +c
Get_accumulate 12; ELEMENTS 4 5; untold; +c
Fetch_and_op 7; unknown; untold
Compare_and_swap 7; unknown; untold
Rput 9; ELEMENTS 1 2; untold; +c
Rget 9; ELEMENTS 1 2; untold; +c
Raccumulate 10; ELEMENTS 1 2; untold; +c
Rget_accumulate 13; ELEMENTS 4 5; untold; +c
Win_create 6; untold; +c
Win_allocate 6; untold; +c
Win_allocate_shared 6; untold; +c
Win_create_dynamic 3; untold
Win_free 1; untold
Win_fence 2; untold
Win_start 3; untold
Win_complete 1; untold
Win_post 3; untold
Win_wait 1; all
Win_test 2; untold
Win_lock 4; untold
Win_lock_all 2; untold
Win_unlock 2; untold
Win_unlock_all 1; untold
Win_flush 2; untold
Win_flush_all 1; untold
Win_flush_local 2; untold
Win_flush_local_all 1; untold
Win_sync 1; untold

File_close 1; untold
File_sync 1; untold
File_set_size 2; untold
File_set_view 6; untold; hidden
File_open 5; untold; hidden
File_read 5; ELEMENTS 2 3; untold; +c
File_read_all 5; ELEMENTS 2 3; untold; +c
File_read_at 6; ELEMENTS 3 4; untold; +c
File_read_at_all 6; ELEMENTS 3 4; untold; +c
File_read_shared 5; ELEMENTS 2 3; untold; +c
File_read_ordered 5; ELEMENTS 2 3; untold; +c
File_write 5; ELEMENTS 2 3; untold; +c
File_write_all 5; ELEMENTS 2 3; untold; +c
File_write_at 6; ELEMENTS 3 4; untold; +c
File_write_at_all 6; ELEMENTS 3 4; untold; +c
File_write_shared 5; ELEMENTS 2 3; untold; +c
File_write_ordered 5; ELEMENTS 2 3; untold; +c
File_iread 5; ELEMENTS 2 3; untold; +c
File_iread_all 5; ELEMENTS 2 3; untold; +c
File_iread_at 6; ELEMENTS 3 4; untold; +c
File_iread_at_all 6; ELEMENTS 3 4; untold; +c
File_iread_shared 5; ELEMENTS 2 3; untold; +c
File_iwrite 5; ELEMENTS 2 3; untold; +c
File_iwrite_all 5; ELEMENTS 2 3; untold; +c
File_iwrite_at 6; ELEMENTS 3 4; untold; +c
File_iwrite_at_all 6; ELEMENTS 3 4; untold; +c
File_iwrite_shared 5; ELEMENTS 2 3; untold; +c
File_read_all_begin 4; ELEMENTS 2 3; untold; +c
File_read_all_end 3; all
File_read_at_all_begin 5; ELEMENTS 3 4; untold; +c
File_read_at_all_end 3; all
File_read_ordered_begin 4; ELEMENTS 2 3; untold; +c
File_read_ordered_end 3; all
File_write_all_begin 4; ELEMENTS 2 3; untold; +c
File_write_all_end 3; all
File_write_at_all_begin 5; ELEMENTS 3 4; untold; +c
File_write_at_all_end 3; all
File_write_ordered_begin 4; ELEMENTS 2 3; untold; +c
File_write_ordered_end 3; all
"""

MEMBERS = {
    "ELEMENTS": ("count", "type"),
    "ROOTED": ("buffer", "count", "type", "root"),
    "OWN": ("buffer", "count", "type", "other_count", "other_type"),
    "EACH": ("buffer", "count", "type", "other_count", "other_type", "comm"),
    "SUM": ("buffer", "count", "type", "comm"),
    "SUM_OF_TYPES": ("buffer", "count", "type", "comm"),
    "PEERS": ("count", "type", "comm"),
    "RECEIVED": ("count", "type", "status"),
    "BEFORE": ("comm",),
    "MESSAGE": ("source", "tag", "comm"),
}


# What of the bytes must travel (enum travel_rule): rule, name of the place, places by function. Those that do not block (I...)
# have the same arguments and one more; others with an argument in front say so.
TRAVEL = {
    "SEND": {"root": {3: "Send Bsend Ssend Rsend Sendrecv Sendrecv_replace Put Get Accumulate Rput Rget Raccumulate",
                      6: "Get_accumulate Rget_accumulate"},
             "comm": {5: "Send Bsend Ssend Rsend", 7: "Sendrecv_replace", 10: "Sendrecv"},
             "window": {7: "Put Get Rput Rget", 8: "Accumulate Raccumulate", 11: "Get_accumulate Rget_accumulate"}},
    "ALL": {"comm": {5: "Allreduce Scan Exscan", 6: "Allgather", 7: "Allgatherv"}},
    "CHILD": {"root": {3: "Bcast", 5: "Reduce", 6: "Gather Scatter", 7: "Gatherv Scatterv"},
              "comm": {4: "Bcast", 6: "Reduce", 7: "Gather Scatter", 8: "Gatherv Scatterv"}},
    "PEERS": {"comm": {6: "Alltoall", 8: "Alltoallv Alltoallw", 5: "Reduce_scatter Reduce_scatter_block"}},
}


def travel_of(name):
    """The rule and its places."""
    blocking = name[1:].capitalize() if name[0] == "I" and name[1].islower() else name
    for rule, members in TRAVEL.items():
        places = {member: place for member, by_place in members.items() for place, names in by_place.items()
                  if blocking in names.split()}
        if places:
            return rule, places
    return None, {}


class Function:
    def __init__(self, line):
        head, *rest = [part.strip() for part in line.split(";")]
        self.name, arguments = head.split()
        self.arguments = int(arguments)
        self.hidden = "hidden" in rest  # Fortran passes the length of a text behind all arguments
        self.large = "+c" in rest
        rules = [part for part in rest if part not in ("hidden", "+c")]
        self.bytes = rules[0].split() if len(rules) == 2 else ["none"]
        self.waiting = rules[-1].split()

    def row(self, suffix):
        members = {}
        for word, *places in (self.bytes, self.waiting):
            members.update({m: p for m, p in zip(MEMBERS.get(word, ()), places) if p != "-"})
        rule, places = travel_of(self.name)
        members.update(places)
        texts = [f'.name = "MPI_{self.name}{suffix}"', f".bytes = BYTES_{self.bytes[0].upper()}",
                 f".waiting = WAITING_{self.waiting[0].upper()}"]
        texts += [f".travel = TRAVEL_{rule}"] if rule else []
        texts += [f".{member} = {int(place) + 1}" for member, place in members.items()]
        texts += [".is_large = 1"] if suffix else []
        texts += [".begins_mpi = 1"] if self.name in ("Init", "Init_thread") else []
        return "    {" + ", ".join(texts) + "},\n"


def wrapper(symbol, count, body):
    parameters = ", ".join(f"word a{i}" for i in range(count)) or "void"
    words = ", ".join(f"a{i}" for i in range(count)) or "0"
    return (f"word {symbol}({parameters});\n"
            f"__attribute__((visibility(\"default\"))) word {symbol}({parameters}) {{\n"
            f"  word words[WORDS] = {{{words}}};\n  return {body};\n}}\n")


def text_of(functions):
    forms = [(f, suffix) for f in functions for suffix in (("", "_c") if f.large else ("",))]
    out = ["/* Made by instrument/calls/mpi_functions.py. */\n", '#include "instrument/calls/mpi_layer.h"\n\n',
           "const struct mpi_function mpi_functions[] = {\n"]
    out += [f.row(suffix) for f, suffix in forms]
    out.append("};\n")
    fortran = 0
    for number, (f, suffix) in enumerate(forms):
        for prefix, kind in (("MPI_", "MPI_FORM"), ("PMPI_", "PMPI_FORM")):
            out.append(wrapper(f"{prefix}{f.name}{suffix}", f.arguments,
                               f"mpi_call({number}, {kind}, words, __builtin_return_address(0))"))
    names = []
    for f in functions:
        for ending in ("_", "_f08_", "_f08ts_"):
            symbol = f"mpi_{f.name.lower()}{ending}"
            names.append(symbol)
            out.append(wrapper(symbol, f.arguments + 1 + f.hidden,
                               f"mpi_fortran_call({fortran}, words, __builtin_return_address(0))"))
            fortran += 1
    out.append("const char* const mpi_fortran_names[] = {\n")
    out += [f'    "{name}",\n' for name in names]
    out.append("};\n")
    out.append(f"void* mpi_real[2][{len(forms)}];\nvoid* mpi_fortran_real[{fortran}];\n")
    out.append("void** const mpi_reals[2] = {mpi_real[0], mpi_real[1]};\n")
    return "".join(out)


def main():
    functions = [Function(line) for line in FUNCTIONS.splitlines() if line.strip()]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text_of(functions))


if __name__ == "__main__":
    main()
