! One projection step of an incompressible flow in a channel whose cells are finer at the walls, in Fortran.
!
!     laplacian p = div v / dt,     v := v - dt grad p,     then div v = 0
!
! Velocities stand on the faces of the cells and the pressure at their centres (Harlow and Welch 1965), so divergence and
! gradient are differences of neighbours and their product is what the solver inverts, on any grid. Periodic along x and
! z; nothing flows through the walls at both ends of y, so dp/dn = 0 there.
program channel_step
    use poisson3d
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    integer, parameter :: wp = real64
    integer, parameter :: nx = 48, ny = 33, nz = 40
    real(wp), parameter :: dx = 0.02_wp, dz = 0.025_wp, dt = 0.01_wp
    real(wp) :: u(nx, ny, nz), v(nx, 0:ny, nz), w(nx, ny, nz), p(nx, ny, nz), divergence(nx, ny, nz)
    real(wp) :: faces(0:ny), widths(ny), before, after
    type(poisson3d_problem) :: problem
    type(poisson3d_solver) :: solver
    type(poisson3d_info) :: info
    integer :: j

    faces = [(tanh(1.8_wp*(2.0_wp*j/ny - 1))/tanh(1.8_wp), j = 0, ny)]
    widths = faces(1:ny) - faces(0:ny - 1)
    problem%axes(1) = poisson3d_axis(points=nx, spacing=dx)
    problem%axes(2) = poisson3d_axis(points=ny, lower=poisson3d_neumann, upper=poisson3d_neumann, positions=faces)
    problem%axes(3) = poisson3d_axis(points=nz, spacing=dz)
    call solver%create(problem)
    call solver%get_info(info)
    print "(2a)", "solver: ", info%description

    call random_number(u)
    call random_number(v)
    call random_number(w)
    u = 2*u - 1
    v = 2*v - 1
    w = 2*w - 1
    v(:, 0, :) = 0
    v(:, ny, :) = 0
    call take_divergence()
    before = maxval(abs(divergence))
    call solver%solve(divergence, p, scale=1/dt)
    u = u - dt*(p - cshift(p, -1, 1))/dx
    do j = 1, ny - 1
        v(:, j, :) = v(:, j, :) - dt*(p(:, j + 1, :) - p(:, j, :))/(0.5_wp*(widths(j) + widths(j + 1)))
    end do
    w = w - dt*(p - cshift(p, -1, 3))/dz
    call take_divergence()
    after = maxval(abs(divergence))
    print "(2(a, es9.2))", "largest divergence before ", before, ", after ", after
    if (.not. after < 1e-14_wp*before) error stop "the flow is not free of divergence"
    call solver%destroy()

contains

    ! u(i, :, :) is on the lower x face of cell i, w likewise; v(:, j, :) on the upper y face of cell j.
    subroutine take_divergence()
        divergence = (cshift(u, 1, 1) - u)/dx + (cshift(w, 1, 3) - w)/dz
        do j = 1, ny
            divergence(:, j, :) = divergence(:, j, :) + (v(:, j, :) - v(:, j - 1, :))/widths(j)
        end do
    end subroutine
end program
