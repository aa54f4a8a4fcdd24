! Ranks that sum, through mpif.h: no module file of another compiler is read.
program mpi_include
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, i
  double precision :: x(1000), mine, all
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  mine = 0d0
  do i = 1, 1000
    x(i) = i * 0.5d0
  end do
  do i = 1, 1000
    mine = mine + x(i)
  end do
  call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(f10.1)', all
  call MPI_Finalize(ierr)
end program
