// What members on devices ask of the fields they are given.
#pragma once

#include <string>

#include "engine.hpp"
#include "field_checks.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::members {

/// Throws Error{usage} unless they are in the memory of this device, and f and u one view or apart.
template <class T>
void require_fields_on(int device, const Call<T>& call, const std::string& who) {
    const DeviceScope scope(device);
    const auto require_here = [&](const T* data, const char* what) {
        const int found = device_of(data);
        if (found == device) return;
        throw Error(ErrorCode::usage, std::string(what) + who + ": found it in the memory of " +
                                          (found < 0 ? "the host" : "device " + std::to_string(found)) +
                                          ", wanted that of device " + std::to_string(device));
    };
    require_here(call.f.data, "f");
    require_here(call.u.data, "u");
    for (const auto& axis : call.boundary.face)
        for (const FaceValues<T>& face : axis)
            if (face.data != nullptr) require_here(face.data, "boundary data");
    const bool same = call.f.data == call.u.data && call.f.strides == call.u.strides;
    if (!same && overlap<T>(call.f, call.u))
        throw Error(ErrorCode::usage, "f and u" + who + " overlap in memory and are not the same view");
}

}  // namespace poisson3d::members
