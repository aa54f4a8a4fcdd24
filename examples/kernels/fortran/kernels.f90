! Twins of five kernels of the folder above, with the same work (../closed_forms.md). Arrays are column-major here: the first
! index is the inner one. A procedure is called only from another file, so no compiler sees through a call.
module kernels
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: triad, daxpy, dot, jacobi2d, gemm_naive

contains

  ! a(i) = b(i) + s * c(i). Per element: 2 flop, 16 byte loaded, 8 byte stored.
  subroutine triad(a, b, c, s)
    real(real64), contiguous, intent(inout) :: a(:)
    real(real64), contiguous, intent(in) :: b(:), c(:)
    real(real64), intent(in) :: s
    integer(int64) :: i

    !$omp parallel do schedule(static)
    do i = 1, size(a, kind=int64)
      a(i) = b(i) + s * c(i)
    end do
  end subroutine triad

  ! y(i) = y(i) + a * x(i). Per element: 2 flop, 16 byte loaded, 8 byte stored.
  subroutine daxpy(a, x, y)
    real(real64), intent(in) :: a
    real(real64), contiguous, intent(in) :: x(:)
    real(real64), contiguous, intent(inout) :: y(:)
    integer(int64) :: i

    !$omp parallel do schedule(static)
    do i = 1, size(y, kind=int64)
      y(i) = y(i) + a * x(i)
    end do
  end subroutine daxpy

  ! Sum of x(i) * y(i). Per element: 2 flop, 16 byte loaded. With OpenMP one more add per thread.
  real(real64) function dot(x, y) result(total)
    real(real64), contiguous, intent(in) :: x(:), y(:)
    integer(int64) :: i

    total = 0.0_real64
    !$omp parallel do schedule(static) reduction(+: total)
    do i = 1, size(x, kind=int64)
      total = total + x(i) * y(i)
    end do
  end function dot

  ! One 5-point Jacobi sweep. Per interior point: 4 flop (3 add, 1 mul), 32 byte loaded, 8 byte stored.
  subroutine jacobi2d(from, to)
    real(real64), contiguous, intent(in) :: from(:, :)
    real(real64), contiguous, intent(inout) :: to(:, :)
    integer(int64) :: i, j

    !$omp parallel do schedule(static)
    do j = 2, size(to, 2, kind=int64) - 1
      do i = 2, size(to, 1, kind=int64) - 1
        to(i, j) = 0.25_real64 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
      end do
    end do
  end subroutine jacobi2d

  ! c = a * b, three plain loops. 2 n^3 flop, 16 n^3 byte loaded, 8 n^2 byte stored.
  subroutine gemm_naive(a, b, c)
    real(real64), contiguous, intent(in) :: a(:, :), b(:, :)
    real(real64), contiguous, intent(inout) :: c(:, :)
    real(real64) :: total
    integer(int64) :: i, j, k

    !$omp parallel do schedule(static) private(i, k, total)
    do j = 1, size(c, 2, kind=int64)
      do i = 1, size(c, 1, kind=int64)
        total = 0.0_real64
        do k = 1, size(a, 2, kind=int64)
          total = total + a(i, k) * b(k, j)
        end do
        c(i, j) = total
      end do
    end do
  end subroutine gemm_naive

end module kernels
