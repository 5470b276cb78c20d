#include "cufft_library.hpp"

#include <dlfcn.h>

#include <type_traits>
#include <vector>

#include "pipelines.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::cufft {

namespace {

const std::string file = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);

/// From CUDA 13 on pip's packages share a folder, before each had its own.
#if CUFFT_VER_MAJOR >= 12
constexpr const char* folder_of_package = "nvidia/cu13/lib";
constexpr const char* package = "nvidia-cufft";
#else
constexpr const char* folder_of_package = "nvidia/cufft/lib";
constexpr const char* package = "nvidia-cufft-cu12";
#endif

/// The folder of the library or program that this code is part of, with a slash at the end; empty if unknown.
std::string own_folder() {
    static const char here = 0;
    Dl_info found{};
    if (dladdr(&here, &found) == 0 || found.dli_fname == nullptr) return "";
    const std::string name = found.dli_fname;
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

void* open_file() {
    std::vector<std::string> names;
    if (const std::string own = own_folder(); !own.empty())
        names.push_back(own + "../" + folder_of_package + "/" + file);
    names.push_back(file);
    names.push_back(std::string(POISSON3D_CUFFT_FOLDER) + "/" + file);
    for (const std::string& name : names)
        if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
    return nullptr;
}

Library open() {
    void* const handle = open_file();
    if (handle == nullptr)
        throw Error(ErrorCode::unsupported, "found no " + file +
                                                ", wanted cuFFT of the CUDA toolkit, or of pip's package " +
                                                package + ", where the linker finds it (LD_LIBRARY_PATH)");
    Library library;
    const auto find = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
        if (function == nullptr)
            throw Error(ErrorCode::unsupported,
                        file + " has no " + symbol + ", wanted cuFFT of CUDA 12.4 or newer");
    };
    find(library.create, "cufftCreate");
    find(library.destroy, "cufftDestroy");
    find(library.set_auto_allocation, "cufftSetAutoAllocation");
    find(library.set_property, "cufftSetPlanPropertyInt64");
    find(library.make_plan_many, "cufftMakePlanMany64");
    find(library.set_work_area, "cufftSetWorkArea");
    find(library.set_stream, "cufftSetStream");
    find(library.execute_single, "cufftExecC2C");
    find(library.execute_double, "cufftExecZ2Z");
    return library;
}

}  // namespace

const Library& Library::get() {
    static const Library library = open();  // once, unless it throws
    return library;
}

std::string missing_library() {
    try {
        Library::get();
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace poisson3d::cufft
