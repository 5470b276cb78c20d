! What the Fortran module computes: eigenfunctions, boundary data, ghosts, batches, both precisions.
module laws_of_double
    use poisson3d
    use checks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    private
    public :: test_eigenfunctions, test_ghosts, test_batch, test_boundary, test_singular
    public :: mixed_problem, eigenfunction, close
    integer, parameter :: wp = real64
contains
    include "laws.inc"
end module

module laws_of_single
    use poisson3d
    use checks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    implicit none
    private
    public :: test_eigenfunctions, test_ghosts, test_batch, test_boundary, test_singular
    integer, parameter :: wp = real32
contains
    include "laws.inc"
end module

program test_fortran_solve
    use poisson3d
    use checks
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use laws_of_double
    use laws_of_single, single_eigenfunctions => test_eigenfunctions, single_ghosts => test_ghosts, &
        single_batch => test_batch, single_boundary => test_boundary, single_singular => test_singular
    implicit none
    integer :: memory
    do memory = poisson3d_memory_fast, poisson3d_memory_low
        call test_eigenfunctions(memory)
        call single_eigenfunctions(memory)
    end do
    call test_ghosts()
    call single_ghosts()
    call test_batch()
    call single_batch()
    call test_boundary()
    call single_boundary()
    call test_singular()
    call single_singular()
    call test_mixed()
    call check(index(poisson3d_version(), ".") > 0, "the version")
    if (failures > 0) error stop "some checks failed"

contains

    subroutine test_mixed()
        type(poisson3d_mixed) :: mixed
        type(poisson3d_options) :: options
        type(poisson3d_info) :: info
        type(poisson3d_result) :: result
        real(real64) :: f(12, 9, 7), u(14, 9, 7), expected(12, 9, 7)
        integer(int64) :: bytes
        options%engine = poisson3d_engine_host
        call eigenfunction(mixed_problem(), [2, 1, 3], expected, f)
        call mixed%create(mixed_problem(), options)
        call mixed%workspace_bytes(mixed_problem(), bytes, options)
        call mixed%get_info(info)
        call check(info%refinements >= 2 .and. info%workspace_bytes == bytes, "a plan in mixed precision")
        call mixed%solve(f, u(2:13, :, :))
        call close(u(2:13, :, :), expected, "mixed precision")
        call mixed%get_result(result)
        call check(.not. result%singular, "the result of mixed precision")
        call mixed%create(mixed_problem(), options, refinements=0)
        call mixed%solve(f, u(2:13, :, :), scale=2.0_real64)
        call check(maxval(abs(u(2:13, :, :) - 2*expected)) > 1e-9, "without refinements it is single precision")
        call check(maxval(abs(u(2:13, :, :) - 2*expected)) < 1e-5, "and that it is")
        call mixed%destroy()
    end subroutine
end program
