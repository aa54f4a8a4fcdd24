! Calls of MPI in known numbers and sizes, by two ranks, through the module mpi.
program mpi_calls_f90
  use mpi
  implicit none
  integer, parameter :: turns = 10
  integer :: rank, i
  integer :: error
  double precision :: numbers(1000)

  numbers = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do i = 1, turns
    if (rank == 0) then
      call MPI_Send(numbers, 100, MPI_DOUBLE_PRECISION, 1, 3, MPI_COMM_WORLD, error)
    else
      call MPI_Recv(numbers, 1000, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end if
  end do
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  print '(a, i0, f6.2)', 'rank ', rank, numbers(1)
  call MPI_Finalize(error)
end program
