! A stranger's program in Fortran: solves one problem with the installed library and checks the answer.
program consumer
    use poisson3d
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    type(poisson3d_problem) :: problem
    type(poisson3d_solver) :: solver
    type(poisson3d_info) :: info
    type(poisson3d_result) :: result
    type(poisson3d_residual) :: residual
    real(real64) :: f(7, 12, 9), u(7, 12, 9)
    integer :: n
    problem%axes(1) = poisson3d_axis(points=7, spacing=0.4d0)
    problem%axes(2) = poisson3d_axis(points=12, spacing=0.25d0, lower=poisson3d_neumann, upper=poisson3d_neumann)
    problem%axes(3) = poisson3d_axis(points=9, spacing=0.5d0, centering=poisson3d_node, lower=poisson3d_dirichlet, &
        upper=poisson3d_neumann)
    f = reshape([(mod(n*7919, 1009)/1009.0d0 - 0.5d0, n = 0, size(f) - 1)], shape(f))
    call solver%create(problem)
    call solver%get_info(info)
    call solver%solve(f, u)
    call solver%get_result(result)
    call poisson3d_measure_residual(problem, f, u, residual, mean=result%mean_removed)
    print "(5a, es9.2)", "Fortran, version ", poisson3d_version(), ", ", info%description, ": backward error ", &
        residual%backward
    call solver%destroy()
    if (residual%backward > 1e-14 .or. residual%max_solution < 0.01) error stop "the solution is not one"
end program
