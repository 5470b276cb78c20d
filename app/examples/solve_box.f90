! A charged ball between two plates, in Fortran: every step solve, take the field, move.
!
!     laplacian phi = -rho      phi = 0 and phi = 1 on the plates at the ends of x, periodic in y and z
!
! The arrays have a ghost layer all around, as those of a simulation have; the solver works on their inside where it
! lies. Gauss's law is the check: what flows out through the plates is the charge between them, to rounding, because
! the difference equations conserve it.
program solve_box
    use poisson3d
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    integer, parameter :: wp = real64
    integer, parameter :: nx = 48, ny = 40, nz = 35, steps = 5
    real(wp), parameter :: lengths(3) = [1.2_wp, 1.0_wp, 0.7_wp], plates(2) = [0.0_wp, 1.0_wp]
    real(wp), parameter :: width = 0.06_wp, charge = 0.05_wp, mass = 1.0_wp, dt = 0.5_wp
    real(wp), target :: rho(0:nx + 1, 0:ny + 1, 0:nz + 1), phi(0:nx + 1, 0:ny + 1, 0:nz + 1)
    real(wp) :: slope(nx, ny, nz, 3), h(3), position(3), velocity(3), force(3), flux, total
    type(poisson3d_problem) :: problem
    type(poisson3d_solver) :: solver
    type(poisson3d_gradient) :: gradient
    type(poisson3d_boundary) :: boundary
    type(poisson3d_info) :: info
    integer :: step, a

    h = lengths/[nx, ny, nz]
    problem%axes(1) = poisson3d_axis(points=nx, spacing=h(1), lower=poisson3d_dirichlet, upper=poisson3d_dirichlet)
    problem%axes(2) = poisson3d_axis(points=ny, spacing=h(2))
    problem%axes(3) = poisson3d_axis(points=nz, spacing=h(3))
    call boundary%set(1, poisson3d_lower, plates(1))
    call boundary%set(1, poisson3d_upper, plates(2))
    call solver%create(problem)
    call gradient%create(problem)
    call solver%get_info(info)
    print "(2a)", "solver: ", info%description

    position = [0.45_wp, 0.5_wp, 0.35_wp]
    velocity = 0
    do step = 1, steps
        call deposit()
        call solver%solve(rho(1:nx, 1:ny, 1:nz), phi(1:nx, 1:ny, 1:nz), boundary, scale=-1.0_wp)
        call gradient%evaluate(phi(1:nx, 1:ny, 1:nz), slope, boundary)
        do a = 1, 3
            force(a) = -sum(rho(1:nx, 1:ny, 1:nz)*slope(:, :, :, a))*product(h)
        end do
        velocity = velocity + dt*force/mass
        position = position + dt*velocity
        flux = flux_out()
        total = sum(rho(1:nx, 1:ny, 1:nz))*product(h)
        print "(a, i0, 3(a, f9.6), a, es9.2)", "step ", step, ": x ", position(1), ", force ", force(1), ", phi at most ", &
            maxval(phi(1:nx, 1:ny, 1:nz)), ", Gauss's law off by ", abs(flux - total)/total
        if (abs(flux - total) > 1e-11_wp*total) error stop "Gauss's law does not hold"
    end do
    ! The upper plate and the ball's own image there pull it to the lower one with growing force.
    if (force(1) >= 0 .or. maxval(abs(force(2:3))) > 1e-12_wp) error stop "the ball is pulled the wrong way"
    call gradient%destroy()
    call solver%destroy()

contains

    ! The ball: a Gaussian, its charge exact on the grid.
    subroutine deposit()
        real(wp) :: r(3)
        integer :: i, j, k
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    r = ([i, j, k] - 0.5_wp)*h - position
                    rho(i, j, k) = exp(-sum(r**2)/(2*width**2))
                end do
            end do
        end do
        rho(1:nx, 1:ny, 1:nz) = rho(1:nx, 1:ny, 1:nz)*(charge/(sum(rho(1:nx, 1:ny, 1:nz))*product(h)))
    end subroutine

    ! Of -grad phi through both plates: half a cell lies between a plate and the first point.
    function flux_out() result(flux)
        real(wp) :: flux
        flux = sum(phi(1, 1:ny, 1:nz) - plates(1)) + sum(phi(nx, 1:ny, 1:nz) - plates(2))
        flux = flux/(h(1)/2)*h(2)*h(3)
    end function
end program
