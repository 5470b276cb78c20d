// What this machine calls its processor and its GPUs, and which engine is used on it.
#pragma once

#include <string>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// "Intel(R) Xeon(R) Gold 6226 CPU @ 2.70GHz"; "unknown processor" where the system does not say.
std::string processor_name();

/// The processor for the host engine, else the GPU.
std::string device_name(Engine engine, int device);

/// Throws Error{device} if there is no GPU of that number, with the reason or the numbers there are.
void require_device(int device);

/// Of GPUs, each name once: "NVIDIA H100, NVIDIA L4".
std::string device_names(const std::vector<int>& devices);

/// The same for members on GPUs, which --devices has named. Throws Error{unsupported} in a build without CUDA.
void require_devices(const std::vector<int>& devices);

/// True for engines whose fields are in the memory of a GPU.
bool on_gpu(Engine engine) noexcept;

/// The engine that `automatic` is here, asked before anything is planned; any other engine is returned as it is.
/// Throws Error{unsupported} or Error{device} if the engine or, where one is used, the GPU is not there. Wakes no
/// driver for the host engine.
Engine choose_engine(Engine asked, int device);

/// Why the processor is at work in a build that could use a GPU; empty otherwise.
std::string fallback_reason(Engine asked, Engine used);

}  // namespace poisson3d::app
