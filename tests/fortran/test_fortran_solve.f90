! What the Fortran module computes: eigenfunctions, boundary data, ghosts, batches, both precisions.
module laws_of_double
    use poisson3d
    use checks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    private
    public :: test_eigenfunctions, test_ghosts, test_batch, test_boundary, test_singular, test_free, &
        test_spectral_gradient
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
    public :: test_eigenfunctions, test_ghosts, test_batch, test_boundary, test_singular, test_free, &
        test_spectral_gradient
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
        single_batch => test_batch, single_boundary => test_boundary, single_singular => test_singular, &
        single_free => test_free, single_spectral_gradient => test_spectral_gradient
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
    call test_free()
    call test_spectral_gradient()
    call single_free()
    call single_spectral_gradient()
    call test_mixed()
    call test_uneven()
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

    ! u = 1 + 2y is exact on any grid, whatever the walls: positions, widths and coefficients of the same axis.
    subroutine test_uneven()
        type(poisson3d_problem) :: problem
        type(poisson3d_options) :: options
        type(poisson3d_solver) :: solver
        type(poisson3d_boundary) :: walls
        type(poisson3d_info) :: info
        real(real64) :: f(6, 5, 4), u(6, 5, 4), faces(6), middles(5)
        integer :: way, j
        faces = [-1.0d0, -0.75d0, -0.5d0, 0.25d0, 1.0d0, 2.5d0]
        middles = 0.5d0*(faces(1:5) + faces(2:6))
        problem%axes(1) = poisson3d_axis(points=6, spacing=0.5d0)
        problem%axes(3) = poisson3d_axis(points=4, spacing=0.25d0)
        do way = 1, 4
            problem%axes(2) = poisson3d_axis(points=5, spacing=1.0d0, origin=-1.0d0, lower=poisson3d_robin, &
                upper=poisson3d_neumann, robin_lower=[2.0d0, 0.5d0])
            select case (way)
            case (1)
                problem%axes(2)%positions = faces
            case (2)
                problem%axes(2)%widths = faces(2:6) - faces(1:5)
            case (3)
                problem%axes(2)%conductances = 1/[middles(1) - faces(1), middles(2:5) - middles(1:4), &
                    faces(6) - middles(5)]
                problem%axes(2)%weights = faces(2:6) - faces(1:5)
            case (4)
                problem%axes(2)%positions = faces
                problem%axes(3) = poisson3d_axis(points=4, lower=poisson3d_neumann, upper=poisson3d_neumann, &
                    widths=[0.5d0, 1.0d0, 0.25d0, 2.0d0])
            end select
            options%middle = poisson3d_middle_eliminate
            call solver%create(problem, options)
            call solver%get_info(info)
            call check(index(info%description, "eliminated") > 0, info%description)
            call walls%set(2, poisson3d_lower, 2*(1 + 2*faces(1)) - 0.5d0*2)
            call walls%set(2, poisson3d_upper, 2.0d0)
            f = 0
            call solver%solve(f, u, boundary=walls)
            do j = 1, 5
                call check(maxval(abs(u(:, j, :) - (1 + 2*middles(j)))) < 1d-13, "linear u on steps that differ")
            end do
        end do
        call solver%destroy()
    end subroutine
end program
