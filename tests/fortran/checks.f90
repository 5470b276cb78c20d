! Checks of the tests in Fortran: a failed one is printed and counted.
module checks
    implicit none
    integer :: failures = 0
contains
    subroutine check(good, what)
        logical, intent(in) :: good
        character(*), intent(in) :: what
        if (good) return
        failures = failures + 1
        print "(2a)", "not so: ", what
    end subroutine
end module
