// A real transform of a cube there and back by cuFFT on several GPUs of this process, in place as it wants it,
// median: milliseconds. What members take for a whole solve of a periodic cube is to be compared with it (members).
//
//     cufftxt 0,1 1024 […]
#include <cufftXt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda/check.hpp"

using namespace poisson3d;

namespace {

void check(cufftResult result, const char* what) {
    if (result != CUFFT_SUCCESS)
        throw Error(ErrorCode::device, std::string(what) + ": cuFFT returned " + std::to_string(result));
}

void measure(std::vector<int> devices, int n) {
    const auto count = static_cast<int>(devices.size());
    cufftHandle there = 0, back = 0;
    for (const auto& [plan, type] : {std::pair{&there, CUFFT_D2Z}, {&back, CUFFT_Z2D}}) {
        check(cufftCreate(plan), "a plan");
        check(cufftXtSetGPUs(*plan, count, devices.data()), "its GPUs");
        std::vector<std::size_t> bytes(devices.size());
        check(cufftMakePlan3d(*plan, n, n, n, type, bytes.data()), "a plan of a cube");
    }
    cudaLibXtDesc* field = nullptr;
    check(cufftXtMalloc(there, &field, CUFFT_XT_FORMAT_INPLACE), "memory of a cube");
    const auto wait = [&] {
        for (const int device : devices) {
            cuda::check(cudaSetDevice(device), "device");
            cuda::check(cudaDeviceSynchronize(), "transform");
        }
    };
    for (int d = 0; d < count; ++d) {
        cuda::check(cudaSetDevice(devices[static_cast<std::size_t>(d)]), "device");
        cuda::check(cudaMemset(field->descriptor->data[d], 0, field->descriptor->size[d]), "zeros");
    }
    wait();
    std::vector<double> times;
    for (int i = 0; i < 17; ++i) {
        const auto start = std::chrono::steady_clock::now();
        check(cufftXtExecDescriptorD2Z(there, field, field), "transform there");
        check(cufftXtExecDescriptorZ2D(back, field, field), "transform back");
        wait();
        if (i > 1) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + 7, times.end());
    std::printf("%d^3 double, r2c and c2r by cuFFT on %d GPUs: %.3f ms\n", n, count, 1e3 * times[7]);
    std::fflush(stdout);
    cufftXtFree(field);
    cufftDestroy(there);
    cufftDestroy(back);
}

}  // namespace

int main(int count, char** words) {
    int found = 0;
    if (cudaGetDeviceCount(&found) != cudaSuccess || found == 0) {
        std::printf("skipped: there is no GPU\n");
        return 77;
    }
    try {
        if (count < 3) throw Error(ErrorCode::usage, "wanted devices and points, like 0,1 1024");
        std::vector<int> devices;
        for (char* at = words[1]; *at != '\0'; at += *at == ',' ? 1 : 0)
            devices.push_back(static_cast<int>(std::strtol(at, &at, 10)));
        for (int i = 2; i < count; ++i) measure(devices, std::atoi(words[i]));
    } catch (const Error& error) {
        std::fprintf(stderr, "cufftxt: %s\n", error.what());
        return 1;
    }
}
