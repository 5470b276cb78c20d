! Variable coefficients in Fortran: the stencil, written once more, of the solution is the right-hand side; both
! precisions, coefficients at points and on faces, lambda that varies, sections with gaps. By the host, or with "fused"
! behind the program's name by a GPU, arrays in host memory all the same; skipped without one.
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
    use poisson3d
    use checks
    use variable_r8, only: in_double => test_variable
    use variable_r4, only: in_single => test_variable
    implicit none
    type(poisson3d_problem) :: problem
    type(poisson3d_options) :: options
    type(poisson3d_variable) :: solver
    character(20) :: word
    character(300) :: message
    integer :: stat
    options%engine = poisson3d_engine_host
    call get_command_argument(1, word)
    if (word == "fused") then
        options%engine = poisson3d_engine_fused
        problem%axes = poisson3d_axis(points=8, spacing=1d0)
        call solver%create(problem, options, stat=stat, errmsg=message)
        if (stat == poisson3d_stat_device .or. stat == poisson3d_stat_unsupported) then
            print "(2a)", "skipped: ", trim(message)
            stop 77, quiet=.true.
        end if
        call solver%destroy()
    end if
    call in_double(1d-10, options)
    call in_single(1d-4, options)
    if (failures > 0) error stop "some checks failed"
end program
