! Without stat a failure stops the program with its sentence: "message" as the first argument. "copy": so does the copy
! of a plan.
program stops
    use poisson3d
    implicit none
    type(poisson3d_problem) :: problem
    type(poisson3d_options) :: options
    type(poisson3d_solver) :: solver, another
    character(8) :: word
    call get_command_argument(1, word)
    problem%axes = poisson3d_axis(points=3, spacing=1.0d0)
    options%engine = poisson3d_engine_host
    call another%create(problem, options)
    another = solver                       ! nothing to copy yet: what was there is destroyed
    if (word == "message") problem%axes(2)%spacing = -1
    call solver%create(problem, options)
    if (word == "copy") another = solver
    call solver%destroy()
    call another%destroy()
    print "(a)", "went on"
end program
