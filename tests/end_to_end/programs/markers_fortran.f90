! Markers of a Fortran program. Argument: n.
program phases
  use ridge_marker
  implicit none
  integer :: n, i, step
  character(len=20) :: text
  character(len=12) :: name
  real(8), allocatable :: a(:)
  call get_command_argument(1, text)
  read (text, *) n
  allocate (a(n))
  a = 0d0
  name = 'assembly'   ! with blanks behind it
  do step = 1, 3
    call ridge_marker_start(name)
    do i = 1, n
      a(i) = a(i) + 1.5d0
    end do
    call ridge_marker_stop('assembly')
    do i = 1, n
      a(i) = a(i) + 2.5d0
    end do
  end do
  print *, a(1)
end program phases
