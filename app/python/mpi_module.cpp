// The module poisson3d._mpi: members that are ranks of MPI. Apart from _core, which needs no MPI.
#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/mpi.hpp"

namespace nb = nanobind;
using namespace poisson3d;

namespace {

#ifdef OPEN_MPI
constexpr bool open_mpi = true;
constexpr const char* built_with = "Open MPI";
#else
constexpr bool open_mpi = false;
constexpr const char* built_with = "an MPI of the family of MPICH";
#endif

/// The MPI whose functions are called: of another one, if that was loaded first.
std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string all(text.data(), static_cast<std::size_t>(length));
    return all.substr(0, all.find_first_of(",\n"));
}

/// Of a handle of Fortran. A program has initialised MPI, say by importing mpi4py.MPI.
MPI_Comm ranks_of(int handle) {
    const std::string found = library_version();
    if (found.starts_with("Open MPI") != open_mpi)
        throw Error(ErrorCode::usage, "comm: found a process with " + found + ", wanted " + built_with +
                                          ", with which poisson3d was built, and its mpi4py");
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (initialised == 0 || finalised != 0)
        throw Error(ErrorCode::usage, "comm: the MPI that poisson3d was built with (" + found + ") is " +
                                          (finalised != 0 ? "finalised" : "not initialised") +
                                          ", wanted a communicator of that MPI, and between the two");
    return MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
}

Communicator communicator(int handle, std::optional<int> device) {
    return device ? mpi(ranks_of(handle), *device) : mpi(ranks_of(handle));
}

}  // namespace

NB_MODULE(_mpi, module) {
    module.doc() = "Members that are ranks of MPI. Use poisson3d.DistributedSolver.";
    nb::module_::import_("poisson3d._core");  // has the classes, and what becomes of errors
    module.def("communicator", &communicator, nb::arg("handle"), nb::arg("device") = nb::none(),
               nb::call_guard<nb::gil_scoped_release>(),
               "The communicator of a handle of Fortran, and of the GPU of each rank. A call of all its ranks.");
    module.def(
        "device_of_rank", [](int handle) { return device_of_rank(ranks_of(handle)); }, nb::arg("handle"),
        nb::call_guard<nb::gil_scoped_release>(), "A GPU for this rank, -1: there is none. A call of all ranks.");
    module.attr("built_with") = built_with;
}
