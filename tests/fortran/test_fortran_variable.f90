! Variable coefficients in Fortran: the stencil, written once more, of the solution is the right-hand side; both
! precisions, coefficients at points and on faces, lambda that varies, sections with gaps.
module variable_r8
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use poisson3d
    use checks
    implicit none
    private
    public :: test_variable
    integer, parameter :: wp = real64
contains
    include "variable_laws.inc"
end module

module variable_r4
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    use poisson3d
    use checks
    implicit none
    private
    public :: test_variable
    integer, parameter :: wp = real32
contains
    include "variable_laws.inc"
end module

program test_fortran_variable
    use checks
    use variable_r8, only: in_double => test_variable
    use variable_r4, only: in_single => test_variable
    implicit none
    call in_double(1d-10)
    call in_single(1d-4)
    if (failures > 0) error stop "some checks failed"
end program
