! Spectral gradients of members beside free faces, which are made from the right-hand side, against those of one.
module free_members_laws
    use poisson3d
    use checks
    use members_laws, only: near, problem_of_test, random_field
    use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    implicit none
    private
    public :: test_free_gradient
    integer, parameter :: wp = real64
contains

    ! All members are of this process: arrays of the whole box, in both precisions, and addresses of their parts.
    subroutine test_free_gradient(group, members)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: members
        type(poisson3d_problem) :: problem
        type(poisson3d_gradient) :: alone
        type(poisson3d_distributed) :: shared, single
        real(wp), target :: f(6, 5, 9, 2), g(6, 5, 9, 3)
        real(wp) :: u(6, 5, 9), expected(6, 5, 9, 3), found(6, 5, 9, 3)
        real(real32) :: slopes(6, 5, 9, 3)
        type(c_ptr) :: from(members), source(members), dx(members), dz(members), nowhere(members)
        integer(int64) :: lo(3), n(3)
        integer :: m, stat
        character(200) :: words
        problem = problem_of_test()
        problem%discretization = poisson3d_spectral
        problem%axes(1)%lower = poisson3d_free
        problem%axes(3)%lower = poisson3d_free
        problem%axes(3)%upper = poisson3d_free
        call random_field(f)
        u = f(:, :, :, 1)
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1))
        call alone%evaluate_with_source(u, f(:, :, :, 2), expected(:, :, :, 1), expected(:, :, :, 2), &
            expected(:, :, :, 3), scale=-2.0_wp)
        call shared%create(group, problem)
        call shared%gradient(u, found(:, :, :, 1), found(:, :, :, 2), found(:, :, :, 3), stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_unsupported .and. index(words, "spectral gradient") > 0, "no source")
        call shared%gradient_with_source(u, f(:, :, :, 2), found(:, :, :, 1), found(:, :, :, 2), found(:, :, :, 3), &
            scale=-2.0_wp)
        call check(near(found, expected), "members differentiate beside free faces as one does")
        call shared%gradient_with_source(u, f(:, :, 2:, 2), found(:, :, :, 1), found(:, :, :, 2), found(:, :, :, 3), &
            stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "array f") > 0, "a source of another shape")
        do m = 1, members
            call shared%get_member_box(m, lo, n)
            if (n(3) == 0) lo = 1
            from(m) = c_loc(f(1, 1, lo(3), 1))
            source(m) = c_loc(f(1, 1, lo(3), 2))
            dx(m) = c_loc(g(1, 1, lo(3), 1))
            dz(m) = c_loc(g(1, 1, lo(3), 3))
        end do
        nowhere = c_null_ptr
        g = -7
        call shared%gradient_with_source(from, source, dx, nowhere, dz, scale=-2.0_wp)
        call check(near(g(:, :, :, 1:3:2), expected(:, :, :, 1:3:2)), "members differentiate what addresses point to")
        call check(all(abs(g(:, :, :, 2) + 7) < tiny(1.0_wp)), "components left out stay")
        call shared%gradient_with_source(from, [source, source], dx, nowhere, dz, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "addresses of f") > 0, "too many addresses of f")
        call single%create(group, problem, precision=real32)
        call single%gradient_with_source(real(u, real32), real(f(:, :, :, 2), real32), slopes(:, :, :, 1), &
            slopes(:, :, :, 2), slopes(:, :, :, 3), scale=-2.0_real32)
        call check(maxval(abs(slopes - expected)) < 1e-5_wp*maxval(abs(expected)), "members differentiate in single")
        call single%destroy()
        call shared%destroy()
        call alone%destroy()
    end subroutine
end module
