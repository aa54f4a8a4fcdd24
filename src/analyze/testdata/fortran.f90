! Loops as people write them in Fortran.
subroutine axpy(n, a, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = y(i) + a * x(i)
  end do
end subroutine
subroutine jacobi(a, b, n, m)
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(n, m)
  real(8), intent(out) :: b(n, m)
  integer :: i, j
  do j = 2, m - 1
    do i = 2, n - 1
      b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
    end do
  end do
end subroutine
subroutine assumed(a, b)
  real(8), intent(in) :: a(:, :)
  real(8), intent(inout) :: b(:, :)
  integer :: i, j
  do j = 1, size(a, 2)
    do i = 1, size(a, 1)
      b(i, j) = a(i, j)
    end do
  end do
end subroutine
subroutine assumed_contiguous(a, b, n)
  real(8), intent(in), contiguous :: a(0:, 0:)
  real(8), intent(inout), contiguous :: b(:, :)
  integer, intent(in) :: n
  integer :: i, j
  do j = 1, n
    do i = 1, n
      b(i, j) = a(i, j)
    end do
  end do
end subroutine
subroutine array_assignment(a, b, n)
  integer, intent(in) :: n
  real(4), intent(inout) :: a(n)
  real(4), intent(in) :: b(n)
  a = b * 2.0
  a(2:n:2) = 0.0
end subroutine
subroutine concurrent_loop(a, b, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: b(n)
  integer :: i
  do concurrent (i = 1:n)
    a(i) = b(i) ** 2
  end do
end subroutine
subroutine steps(a, n, lo, hi)
  integer, intent(in) :: n, lo, hi
  real(8), intent(inout) :: a(lo:hi)
  integer :: i
  do i = hi, lo, -2
    a(i) = a(i) * 2.0d0
  end do
end subroutine
subroutine triangle(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, j
      a(i, j) = a(i, j) + 1.0d0
    end do
  end do
end subroutine
real(8) function dots(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  integer :: i
  dots = 0
  do i = 1, n
    dots = dots + x(i) * y(i)
  end do
end function
subroutine spmv(n, row, col, val, x, y)
  integer, intent(in) :: n, row(n + 1), col(*)
  real(8), intent(in) :: val(*), x(*)
  real(8), intent(out) :: y(n)
  integer :: r, k
  real(8) :: s
  do r = 1, n
    s = 0
    do k = row(r), row(r + 1) - 1
      s = s + val(k) * x(col(k))
    end do
    y(r) = s
  end do
end subroutine
module fields
  type particle
    real(8) :: x, y
    integer :: kind
  end type
  real(8) :: grid(100, 200)
  real(8), allocatable :: dyn(:, :)
contains
  subroutine structures(p, n)
    integer, intent(in) :: n
    type(particle), intent(inout) :: p(n)
    integer :: i
    do i = 1, n
      p(i)%x = p(i)%x + p(i)%y
    end do
  end subroutine
  subroutine on_module(n)
    integer, intent(in) :: n
    integer :: i, j
    do j = 1, 200
      do i = 1, 100
        grid(i, j) = grid(i, j) * 0.5d0
      end do
    end do
    do j = 1, n
      do i = 1, n
        dyn(i, j) = 0
      end do
    end do
  end subroutine
end module
subroutine while_loop(a, n)
  integer, intent(in) :: n
  real(8) :: a(n)
  integer :: i
  i = 1
  do while (i <= n)
    if (a(i) < 0) exit
    a(i) = sqrt(a(i))
    i = i + 1
  end do
end subroutine
subroutine sums(a, n, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  real(8), intent(out) :: s
  s = sum(a) + maxval(a)
end subroutine
subroutine complexes(z, n)
  integer, intent(in) :: n
  complex(8), intent(inout) :: z(n)
  integer :: i
  do i = 1, n
    z(i) = z(i) * (1d0, 2d0)
  end do
end subroutine
