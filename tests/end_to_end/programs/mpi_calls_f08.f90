! Calls of MPI in known numbers and sizes, by two ranks, through the module mpi_f08.
program mpi_calls_f08
  use mpi_f08
  implicit none
  integer, parameter :: turns = 10
  integer :: rank, i
  double precision :: numbers(1000)

  numbers = 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  do i = 1, turns
    if (rank == 0) then
      call MPI_Send(numbers, 100, MPI_DOUBLE_PRECISION, 1, 3, MPI_COMM_WORLD)
    else
      call MPI_Recv(numbers, 1000, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
  end do
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD)
  print '(a, i0, f6.2)', 'rank ', rank, numbers(1)
  call MPI_Finalize()
end program
