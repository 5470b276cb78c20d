#include "poisson3d/device_links.hpp"

#include <cuda_runtime_api.h>

#include "poisson3d/device.hpp"

namespace poisson3d {

namespace {

/// 0 where the runtime does not say.
int attribute(cudaDeviceP2PAttr which, int from, int to) {
    int value = 0;
    if (cudaDeviceGetP2PAttribute(&value, which, from, to) == cudaSuccess) return value;
    cudaGetLastError();
    return 0;
}

}  // namespace

std::vector<DeviceLink> find_links() {
    std::vector<DeviceLink> links;
    const int count = count_devices();
    for (int from = 0; from < count; ++from)
        for (int to = 0; to < count; ++to)
            if (from != to)
                links.push_back({from, to, attribute(cudaDevP2PAttrAccessSupported, from, to) != 0,
                                 attribute(cudaDevP2PAttrNativeAtomicSupported, from, to) != 0,
                                 attribute(cudaDevP2PAttrPerformanceRank, from, to)});
    return links;
}

}  // namespace poisson3d
