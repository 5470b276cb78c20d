#include "mkl_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace poisson3d::app {

namespace {

/// MKLVersion of mkl_service.h.
struct Version {
    int major, minor, update;
    char *status, *build, *processor, *platform;
};

std::vector<std::string> places() {
    const char* const named = std::getenv("POISSON3D_MKL");
    if (named != nullptr && *named != '\0') return {named};
    return {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
}

}  // namespace

const MklLibrary& MklLibrary::get() {
    static const MklLibrary library;
    return library;
}

template <class Function>
void MklLibrary::find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) missing = std::string("its library has no ") + name;
}

MklLibrary::MklLibrary() {
    // Its threads wait for their next loop by spinning, 200 ms long if nobody says otherwise, in which our next
    // solve would share the processors with them. A millisecond bridges the gaps within one of its solves.
    setenv("KMP_BLOCKTIME", "1", 0);
    // Local, because it has functions of FFTW's names.
    for (const std::string& place : places())
        if (library_ == nullptr) library_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
        missing = "cannot load " + places().front() + "; POISSON3D_MKL may name the library";
        return;
    }
    find(in_single.init, "s_init_helmholtz_3d");
    find(in_single.commit, "s_commit_helmholtz_3d");
    find(in_single.solve, "s_helmholtz_3d");
    find(in_double.init, "d_init_helmholtz_3d");
    find(in_double.commit, "d_commit_helmholtz_3d");
    find(in_double.solve, "d_helmholtz_3d");
    find(free, "free_helmholtz_3d");
    find(set_threads, "MKL_Set_Num_Threads");
    void (*set_dynamic)(int) = nullptr;
    int (*set_interface)(int) = nullptr;
    void (*get_version)(Version*) = nullptr;
    find(set_dynamic, "MKL_Set_Dynamic");
    find(set_interface, "MKL_Set_Interface_Layer");
    find(get_version, "MKL_Get_Version");
    if (!missing.empty()) return;
    constexpr int integers_of_32_bits = 0;
    set_interface(integers_of_32_bits);
    set_dynamic(0);  // as many threads as we have, also where it thinks that fewer would do
    Version number{};
    get_version(&number);
    version =
        std::to_string(number.major) + "." + std::to_string(number.minor) + "." + std::to_string(number.update);
}

}  // namespace poisson3d::app
