! What the Fortran module refuses: stat and errmsg, in the words of Fortran.
program test_fortran_errors
    use poisson3d
    use checks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    implicit none
    type(poisson3d_problem) :: problem, wrong
    type(poisson3d_options) :: options
    type(poisson3d_solver) :: solver, single, none
    type(poisson3d_gradient) :: gradient
    type(poisson3d_boundary) :: boundary, empty
    type(poisson3d_result) :: result, results(2)
    type(poisson3d_info) :: info
    type(poisson3d_residual) :: residual
    real(real64), target :: f(4, 5, 6), u(4, 5, 6), wide(8, 5, 6), many(4, 5, 6, 2), face(4, 5), nothing(0, 5, 6)
    real(real32), target :: f4(4, 5, 6), face4(4, 5)
    character(200) :: message
    character(20) :: short
    integer(int64) :: bytes
    integer :: stat

    problem%axes(1) = poisson3d_axis(points=4, spacing=0.5d0)
    problem%axes(2) = poisson3d_axis(points=5, spacing=0.5d0)
    problem%axes(3) = poisson3d_axis(points=6, spacing=0.5d0, lower=poisson3d_dirichlet, upper=poisson3d_neumann)
    options%engine = poisson3d_engine_host
    f = 1
    f4 = 1
    face = 0
    face4 = 0

    call solver%solve(f, u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "call create before")
    call none%get_info(info, stat, message)
    call refused(poisson3d_stat_usage, "call create before")
    call none%get_result(result, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "null pointer")

    call solver%create(problem, options, stat=stat, errmsg=message)
    call check(stat == 0 .and. message == "as before", "success leaves errmsg alone")
    call single%create(problem, options, precision=real32)
    call gradient%create(problem, options)

    ! shapes, gaps, precisions
    call solver%solve(f, u(:, :, :5), stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array u has shape 4 x 5 x 5, wanted 4 x 5 x 6")
    call solver%solve(nothing, u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array f has shape 0 x 0 x 0")
    call solver%solve(wide(::2, :, :), u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array f has gaps between the elements of its first index")
    call solver%solve(f(4:1:-1, :, :), u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array f has gaps")
    call solver%solve(f(:, 5:1:-1, :), u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "strides")
    call solver%solve(f4, f4, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array f is of real32, the plan is for real64")
    call single%apply(f, u, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array f is of real64, the plan is for real32")
    call solver%solve(c_null_ptr, c_loc(u), stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "field f is a null pointer")
    call gradient%evaluate(u, wide(:4, :, :), f, f, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "of one layout")
    call gradient%evaluate(u, many, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "2 components, wanted 3")
    call poisson3d_measure_residual(problem, f, wide, residual, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "array u has shape 8 x 5 x 6")

    ! numbers of an axis
    wrong = problem
    wrong%axes(2)%positions = [0d0, 1d0, 2d0]
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "axis 2 has 3 positions, wanted 6")
    wrong%axes(2)%positions = [0d0, 1d0, 2d0, 2d0, 3d0, 4d0]
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "axis y: positions: found 2 at index 3")
    wrong = problem
    wrong%axes(3)%widths = [1d0]
    call gradient%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "axis 3 has 1 widths, wanted 6")
    wrong = problem
    wrong%axes(1)%weights = [1d0, 1d0, 1d0]
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "axis 1 has 3 weights, wanted 4")
    wrong = problem
    wrong%axes(3)%lower = poisson3d_robin
    wrong%axes(3)%robin_lower = 0
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "on the lower Robin face")

    ! batches
    call solver%solve(many, many, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "a batch of 2 fields, wanted 1 to 1")
    call solver%solve(many, many(:, :, :, :1), stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "f has 2 fields and u has 1")
    call solver%solve(f, u)
    call solver%get_result(results, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "count 2")

    ! boundary data
    call boundary%set(0, poisson3d_lower, 1.0d0, stat, message)
    call refused(poisson3d_stat_usage, "axis 0, wanted 1 to 3")
    call boundary%set(1, 3, 1.0d0, stat, message)
    call refused(poisson3d_stat_usage, "side 3, wanted")
    call boundary%set(3, poisson3d_lower, wide(::2, :, 1), stat, message)
    call refused(poisson3d_stat_usage, "gaps")
    call boundary%set(3, poisson3d_lower, face(:, :4))
    call solver%solve(f, u, boundary, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "axis 3 has shape 4 x 4, wanted 4 x 5")
    call boundary%set(3, poisson3d_lower, nothing(:, :, 1))
    call solver%solve(f, u, boundary, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "axis 3 has shape 0 x 0, wanted 4 x 5")
    call boundary%set(3, poisson3d_lower, face4)
    call solver%solve(f, u, boundary, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "axis 3 is of real32")
    call boundary%set(3, poisson3d_lower, many(:, :, :3, 1))
    call solver%solve(f, u, boundary, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "axis 3 is for 3 fields, the solve has 1")
    boundary = empty
    call boundary%set(1, poisson3d_upper, 1.0d0)
    call solver%solve(f, u, boundary, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "x_upper")

    ! problems and options; the letters of axes are those of Fortran's order
    wrong = problem
    wrong%axes(1)%points = 0
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_data, "axis x")
    wrong = problem
    wrong%axes(3)%upper = 7
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "found 7")
    wrong = problem
    wrong%gauge_point = [1, 6, 1]
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "index 6 on axis 2, wanted 1 to 5")
    wrong%gauge_point = [1, 5, 0]
    call none%workspace_bytes(wrong, bytes, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "index 0 on axis 3, wanted 1 to 6")
    call none%create(problem, options, precision=16, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "precision 16, wanted real64 or real32")
    options%threads = -1
    call none%create(problem, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_usage, "-1")
    options%threads = 0
    wrong = problem
    wrong%axes(1)%points = 2**20
    options%memory = poisson3d_memory_fast
    options%threads = 2**16
    call none%create(wrong, options, stat=stat, errmsg=message)
    call refused(poisson3d_stat_out_of_memory, "wanted")

    ! a short errmsg takes the beginning; stat alone does
    call none%create(wrong, options, stat=stat, errmsg=short)
    call check(short(:14) == "out of host me", short)
    call none%create(wrong, options, stat=stat)
    call check(stat == poisson3d_stat_out_of_memory, "stat alone")

    ! what was refused did no harm
    call solver%solve(f, u, stat=stat, errmsg=message)
    call check(stat == 0, message)
    call solver%destroy()
    call single%destroy()
    call gradient%destroy()
    if (failures > 0) error stop "some checks failed"

contains

    subroutine refused(wanted, words)
        integer, intent(in) :: wanted
        character(*), intent(in) :: words
        call check(stat == wanted .and. index(message, words) > 0, words//" in "//trim(message))
        message = "as before"
    end subroutine
end program
