! Members that share a box against one solver, whoever the members are.
module members_laws
    use poisson3d
    use checks
    use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    implicit none
    private
    public :: test_members, test_solves, test_addresses, test_refusals_of_one, problem_of_test, random_field, near
    integer, parameter :: wp = real64
contains

    subroutine test_members(group, members)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: members
        integer(int64) :: planes(members)
        integer :: method
        do method = poisson3d_method_automatic, poisson3d_method_transpose
            call test_solves(group, method)
            planes = 0
            planes(members) = 9
            call test_solves(group, method, planes)
            planes(1) = planes(1) + 4
            planes(members) = planes(members) - 4
            call test_solves(group, method, planes)
            call test_pencils(group, members, method)
        end do
        call test_single(group)
        call test_refusals(group, members)
    end subroutine

    subroutine test_pencils(group, members, method)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: members, method
        integer(int64) :: second(members), last(1)
        integer :: m
        second = 0
        second(1) = 5
        last = 9
        call test_solves(group, method, decomposition=poisson3d_decomposition_automatic)
        call test_solves(group, method, decomposition=poisson3d_decomposition_pencils)
        call test_solves(group, method, pencils=[members, 1])
        call test_solves(group, method, pencils=[members, 1], order=[(members - m, m=1, members)])
        call test_solves(group, method, pencils=[members, 1], second=second, last=last)
        call test_solves(group, method, pencils=[1, members], second=[5_int64])
    end subroutine

    ! Walls below and above, with numbers and arrays on them; periodic; an axis of nodes that is shared.
    function problem_of_test() result(problem)
        type(poisson3d_problem) :: problem
        problem%axes(1) = poisson3d_axis(points=6, spacing=0.5_wp, lower=poisson3d_dirichlet, upper=poisson3d_neumann)
        problem%axes(2) = poisson3d_axis(points=5, spacing=0.75_wp, lower=poisson3d_neumann, upper=poisson3d_neumann)
        problem%axes(3) = poisson3d_axis(points=9, spacing=0.25_wp, centering=poisson3d_node, lower=poisson3d_neumann, &
            upper=poisson3d_neumann)
    end function

    ! Fields with ghost layers, a batch of two, boundary data; in place; the operator.
    subroutine test_solves(group, method, planes, decomposition, pencils, second, last, order, box_first, box_points)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: method
        integer(int64), intent(in), optional :: planes(:), second(:), last(:), box_first(3), box_points(3)
        integer, intent(in), optional :: decomposition, pencils(2), order(:)
        type(poisson3d_problem) :: problem
        type(poisson3d_solver) :: alone
        type(poisson3d_distributed) :: shared
        type(poisson3d_boundary) :: walls, parts
        type(poisson3d_result) :: wanted(2), found(2)
        type(poisson3d_info) :: info
        real(wp), target :: on_x(5, 9), on_y(6, 9), on_z(6, 5)
        real(wp), target, allocatable :: my_x(:, :), my_y(:, :), my_z(:, :)
        real(wp) :: f(6, 5, 9, 2), u(6, 5, 9, 2)
        real(wp), allocatable :: g(:, :, :, :), v(:, :, :, :), mine(:, :, :, :)
        integer(int64) :: first, count, lo(3), n(3), hi(3)
        problem = problem_of_test()
        call random_field(f)
        call random_field(u)
        on_x = u(2, :, :, 1)
        on_y = u(:, 3, :, 1)
        on_z = u(:, :, 4, 1)
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1, batch=2_int64))
        call shared%create(group, problem, planes, method, threads=2, batch=2_int64, decomposition=decomposition, &
            pencils=pencils, second=second, last=last, order=order, box_first=box_first, box_points=box_points)
        call shared%get_planes(first, count)
        call shared%get_box(lo, n)
        hi = lo + n - 1
        call check(lo(3) == first .and. n(3) == count, "planes are those of the box")
        if (present(box_first)) call check(all(lo == box_first) .and. all(n == box_points), "a box is the one given")
        my_x = on_x(lo(2):hi(2), lo(3):hi(3))
        my_y = on_y(lo(1):hi(1), lo(3):hi(3))
        my_z = on_z(lo(1):hi(1), lo(2):hi(2))
        call walls%set(1, poisson3d_lower, on_x)
        call walls%set(2, poisson3d_upper, on_y)
        call walls%set(3, poisson3d_upper, on_z)
        call walls%set(3, poisson3d_lower, 0.5_wp)
        call parts%set(1, poisson3d_lower, my_x)
        call parts%set(2, poisson3d_upper, my_y)
        call parts%set(3, poisson3d_upper, my_z)
        call parts%set(3, poisson3d_lower, 0.5_wp)
        call alone%solve(f, u, walls, scale=-2.0_wp)
        call alone%get_result(wanted)

        allocate (g(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1, 2), v(0:n(1) + 2, 0:n(2), 0:n(3), 2))
        g = 7
        v = -7
        g(1:n(1), 1:n(2), 1:n(3), :) = f(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), :)
        call shared%solve(g(1:n(1), 1:n(2), 1:n(3), :), v(1:n(1), 1:n(2), 1:n(3), :), parts, scale=-2.0_wp)
        call shared%get_result(found)
        mine = u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), :)
        call check(near(v(1:n(1), 1:n(2), 1:n(3), :), mine), "members solve a batch as one does")
        v(1:n(1), 1:n(2), 1:n(3), :) = -7
        call check(all(abs(v + 7) < tiny(1.0_wp)), "ghosts of members stay")
        call check(found(2)%singular .eqv. wanted(2)%singular, "members know what is singular")
        call check(abs(found(2)%mean_removed - wanted(2)%mean_removed) < 1e-12_wp, "members remove the same mean")

        call alone%solve(f(:, :, :, 2), u(:, :, :, 2))
        call shared%solve_in_place(g(1:n(1), 1:n(2), 1:n(3), 2))
        mine = u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 2:2)
        call check(near(g(1:n(1), 1:n(2), 1:n(3), 2:2), mine), "members solve in place")
        call alone%apply(f(:, :, :, 1), u(:, :, :, 1))
        call shared%apply(g(1:n(1), 1:n(2), 1:n(3), 1), v(1:n(1), 1:n(2), 1:n(3), 1))
        mine = u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 1:1)
        call check(near(v(1:n(1), 1:n(2), 1:n(3), 1:1), mine), "members apply the operator")

        call test_gradient(problem, shared, f(:, :, :, 1), walls, parts, lo, n)
        call shared%get_info(info)
        call check(index(info%description, " over ") > 0 .and. info%batch == 2, "members describe themselves")
        call test_traffic(shared)
        call shared%destroy()
        call alone%destroy()
    end subroutine

    ! What all send is what each of them sends.
    subroutine test_traffic(shared)
        type(poisson3d_distributed), intent(in) :: shared
        integer(int64) :: all, messages, counted
        real(real64) :: all_bytes, bytes, counted_bytes
        integer :: m, stat
        character(200) :: words
        call shared%get_traffic(all, all_bytes)
        counted = 0
        counted_bytes = 0
        m = 0
        do
            m = m + 1
            call shared%get_traffic(messages, bytes, member=m, stat=stat, errmsg=words)
            if (stat /= poisson3d_stat_ok) exit
            counted = counted + messages
            counted_bytes = counted_bytes + bytes
        end do
        call check(index(words, "found member "//achar(iachar("0") + m)//", wanted one of") > 0, "no such member sends")
        call check(counted == all .and. abs(counted_bytes - all_bytes) < 0.5_real64, "members send what all send")
        call check((m > 2) .eqv. (all > 0), "several members send something")
    end subroutine

    ! That of u by members, into arrays with ghost layers, against that of one.
    subroutine test_gradient(problem, shared, u, walls, parts, lo, n)
        type(poisson3d_problem), intent(in) :: problem
        type(poisson3d_distributed), intent(in) :: shared
        real(wp), intent(in) :: u(:, :, :)
        type(poisson3d_boundary), intent(in) :: walls, parts
        integer(int64), intent(in) :: lo(3), n(3)
        type(poisson3d_gradient) :: alone
        real(wp) :: expected(6, 5, 9, 3)
        real(wp), allocatable :: found(:, :, :, :), mine(:, :, :, :), slopes(:, :, :, :)
        integer(int64) :: hi(3)
        integer :: a, stat
        character(200) :: words
        hi = lo + n - 1
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1))
        call alone%evaluate(u, expected, walls)
        allocate (mine(n(1), n(2), n(3), 1))
        mine(:, :, :, 1) = u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3))
        allocate (found(0:n(1) + 1, 0:n(2), 0:n(3), 3))
        found = -7
        call shared%gradient(mine(:, :, :, 1), found(1:n(1), 1:n(2), 1:n(3), 1), found(1:n(1), 1:n(2), 1:n(3), 2), &
            found(1:n(1), 1:n(2), 1:n(3), 3), parts)
        do a = 1, 3
            slopes = expected(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), a:a)
            call check(near(found(1:n(1), 1:n(2), 1:n(3), a:a), slopes), "members differentiate as one does")
        end do
        found(1:n(1), 1:n(2), 1:n(3), :) = -7
        call check(all(abs(found + 7) < tiny(1.0_wp)), "ghosts of gradients stay")
        call shared%gradient(u(:, :, 2:), found(:, :, :, 1), found(:, :, :, 2), found(:, :, :, 3), stat=stat, &
            errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "array ") > 0, "gradients of other shapes")
        call alone%destroy()
    end subroutine

    ! Addresses of the parts of members of this process, all members being of it.
    subroutine test_addresses(group, members)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: members
        type(poisson3d_problem) :: problem
        type(poisson3d_solver) :: alone
        type(poisson3d_distributed) :: shared
        type(poisson3d_boundary) :: walls, parts(members)
        type(poisson3d_result) :: wanted(2), found(2)
        real(wp), target :: on_x(5, 9), on_y(6, 9), on_z(6, 5)
        real(wp), target :: f(6, 5, 9, 2), u(8, 6, 9, 2), v(6, 5, 9, 2), expected(6, 5, 9, 2)
        real(wp) :: slopes(6, 5, 9, 2)
        type(poisson3d_gradient) :: differentiate
        type(c_ptr) :: from(members), to(members), nowhere(members)
        integer(int64) :: lo(3), n(3)
        integer :: m, stat
        character(200) :: words
        problem = problem_of_test()
        call random_field(f)
        call random_field(expected)
        on_x = expected(2, :, :, 1)
        on_y = expected(:, 3, :, 1)
        on_z = expected(:, :, 4, 1)
        call walls%set(1, poisson3d_lower, on_x)
        call walls%set(2, poisson3d_upper, on_y)
        call walls%set(3, poisson3d_upper, on_z)
        call walls%set(3, poisson3d_lower, 0.5_wp)
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1, batch=2_int64))
        call alone%solve(f, expected, walls, scale=-2.0_wp)
        call alone%get_result(wanted)
        call shared%create(group, problem, batch=2_int64)
        do m = 1, members
            call shared%get_member_box(m, lo, n)
            if (n(3) == 0) lo = 1
            from(m) = c_loc(f(1, 1, lo(3), 1))
            to(m) = c_loc(u(1, 1, lo(3), 1))
            call parts(m)%set(1, poisson3d_lower, c_loc(on_x(1, lo(3))))
            call parts(m)%set(2, poisson3d_upper, c_loc(on_y(1, lo(3))))
            call parts(m)%set(3, poisson3d_upper, on_z)
            call parts(m)%set(3, poisson3d_lower, 0.5_wp)
        end do
        nowhere = c_null_ptr
        u = -7
        call shared%solve(from, to, u_leading=[8_int64, 6_int64], boundary=parts, scale=-2.0_wp, fields=2_int64, &
            f_step=270_int64, u_step=432_int64)
        call shared%get_result(found)
        v = u(1:6, 1:5, :, :)
        call check(near(v, expected), "members solve what addresses point to")
        u(1:6, 1:5, :, :) = -7
        call check(all(abs(u + 7) < tiny(1.0_wp)), "ghosts behind addresses stay")
        call check(abs(found(2)%mean_removed - wanted(2)%mean_removed) < 1e-12_wp, "the mean of what addresses point to")
        call alone%apply(f(:, :, :, 1), expected(:, :, :, 1))
        call shared%apply(from, to, u_leading=[8_int64, 6_int64])
        v(:, :, :, 1) = u(1:6, 1:5, :, 1)
        call check(near(v(:, :, :, 1:1), expected(:, :, :, 1:1)), "members apply the operator to what addresses point to")
        call differentiate%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1))
        call differentiate%evaluate(f(:, :, :, 1), slopes(:, :, :, 1), expected(:, :, :, 1), slopes(:, :, :, 2), walls)
        call shared%gradient(from, nowhere, to, nowhere, leading=[8_int64, 6_int64], boundary=parts)
        v(:, :, :, 1) = u(1:6, 1:5, :, 1)
        call check(near(v(:, :, :, 1:1), expected(:, :, :, 1:1)), "members differentiate what addresses point to")
        call shared%gradient(from, nowhere, [to, to], nowhere, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "addresses of dy") > 0, "too many addresses of dy")
        call differentiate%destroy()
        call shared%set_streams(from)                     ! without effect on the host
        call shared%solve(from, from)
        call random_field(v)
        call alone%solve(v(:, :, :, 1), expected(:, :, :, 1))
        call check(near(f(:, :, :, 1:1), expected(:, :, :, 1:1)), "members solve in place what addresses point to")
        call shared%solve([from, from], to, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "addresses of f") > 0, "too many addresses")
        call shared%apply(from, [to, to], stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "addresses of u") > 0, "too many addresses of u")
        call shared%solve(from, to, boundary=[parts, walls], stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "boundaries") > 0, "too many boundaries")
        call shared%set_streams([from, to], stat, words)
        call check(stat == poisson3d_stat_usage .and. index(words, "streams") > 0, "too many streams")
        call shared%get_member_box(members + 1, lo, n, stat, words)
        call check(stat == poisson3d_stat_usage .and. index(words, "wanted 1 to") > 0, "no such member")
        call parts(members)%set(3, poisson3d_upper, on_x)
        call shared%solve(from, to, boundary=parts, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "axis 3 has shape") > 0, "data of another face")
        call shared%destroy()
        call shared%solve(from, to, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "no plan") > 0, "no plan")
        call alone%destroy()
    end subroutine

    subroutine test_single(group)
        type(poisson3d_communicator), intent(in) :: group
        type(poisson3d_solver) :: alone
        type(poisson3d_distributed) :: shared
        real(wp) :: wide(6, 5, 9, 1)
        real(real32) :: f(6, 5, 9), u(6, 5, 9)
        real(real32), allocatable :: v(:, :, :)
        integer(int64) :: first, count
        call random_field(wide)
        f = real(wide(:, :, :, 1), real32)
        call alone%create(problem_of_test(), precision=real32)
        call alone%solve(f, u)
        call shared%create(group, problem_of_test(), precision=real32)
        call shared%get_planes(first, count)
        allocate (v(6, 5, count))
        call shared%solve(f(:, :, first:first + count - 1), v)
        call check(maxval(abs([0.0_real32, v - u(:, :, first:first + count - 1)])) < 1e-5*maxval(abs(u)), &
            "members solve in single precision")
        call shared%destroy()
        call alone%destroy()
    end subroutine

    subroutine test_refusals(group, members)
        type(poisson3d_communicator), intent(in) :: group
        integer, intent(in) :: members
        type(poisson3d_communicator) :: none
        type(poisson3d_distributed) :: shared
        type(poisson3d_problem) :: problem
        integer(int64) :: planes(members + 1)
        integer :: stat
        character(200) :: words
        problem = problem_of_test()
        call shared%create(none, problem, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "no communicator") > 0, "no communicator")
        planes = 0
        call shared%create(group, problem, planes, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "members") > 0, "planes of too many members")
        call shared%create(group, problem, order=[0], pencils=[1, members + 1], stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage, "an order, or pencils, of other members")
        call shared%create(group, problem, pencils=[1, members], last=planes, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "last indices") > 0, "points of other pencils")
        call shared%create(group, problem, second=planes, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "wanted how many") > 0, "points of no pencils")
        call shared%create(group, problem, box_first=[1_int64, 1_int64, 1_int64], stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "wanted both") > 0, "half a box")
        call shared%create(group, problem, way=poisson3d_way_staged, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_unsupported .and. index(words, "found the way staged") > 0, "ways are of GPUs")
        call shared%create(group, problem, chunks=-1, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_usage .and. index(words, "found -1 chunks") > 0, "chunks below 0")
        problem%discretization = poisson3d_spectral
        call shared%create(group, problem, method=poisson3d_method_eliminate, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_unsupported, "spectral is not eliminated")
        call none%create(0, stat, words)
        call check(stat == poisson3d_stat_usage, "no members")
    end subroutine

    ! What the last rank alone gets wrong.
    subroutine test_refusals_of_one(group, is_last)
        type(poisson3d_communicator), intent(in) :: group
        logical, intent(in) :: is_last
        type(poisson3d_distributed) :: shared
        real(wp), allocatable :: f(:, :, :)
        real(wp) :: wrong(1, 2, 3)
        integer(int64) :: lo(3), n(3)
        integer :: stat
        character(200) :: words
        if (is_last) then
            call shared%create(group, problem_of_test(), pencils=[1, 1], second=[1_int64, 1_int64], stat=stat, errmsg=words)
            call check(index(words, "second indices") > 0, "the mistake is told where it was made")
        else
            call shared%create(group, problem_of_test(), stat=stat, errmsg=words)
            call check(index(words, "another member") > 0, "others are told that there was one")
        end if
        call check(stat == poisson3d_stat_usage, "what one cannot plan all refuse")
        call shared%create(group, problem_of_test())
        call shared%get_box(lo, n)
        allocate (f(n(1), n(2), n(3)))
        f = 1
        wrong = 1
        if (is_last) then
            call shared%solve_in_place(wrong, stat=stat, errmsg=words)
            call check(index(words, "has shape") > 0, "the wrong shape is told where it was given")
        else
            call shared%solve_in_place(f, stat=stat, errmsg=words)
            call check(index(words, "another member") > 0, "others are told of it")
        end if
        call check(stat == poisson3d_stat_usage, "what one cannot solve all refuse")
        call shared%solve_in_place(f, stat=stat, errmsg=words)
        call check(stat == poisson3d_stat_ok, "all go on")
        call shared%destroy()
    end subroutine

    ! The same numbers on all ranks.
    subroutine random_field(f)
        real(wp), intent(out) :: f(:, :, :, :)
        integer :: i, j, k, n
        do n = 1, size(f, 4)
            do k = 1, size(f, 3)
                do j = 1, size(f, 2)
                    do i = 1, size(f, 1)
                        f(i, j, k, n) = sin(real(i*i + 7*j*k + 3*k*i + 11*n, wp))
                    end do
                end do
            end do
        end do
    end subroutine

    logical function near(v, u)
        real(wp), intent(in) :: v(:, :, :, :), u(:, :, :, :)
        near = maxval(abs([0.0_wp, v - u])) <= 1e-12_wp*maxval(abs([1.0_wp, u]))
    end function
end module
