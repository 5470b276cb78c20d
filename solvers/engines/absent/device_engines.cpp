// What needs a GPU, in a build without CUDA: the same symbols, and the reason why it is missing.
#include "closed_faces.hpp"
#include "device_gradient.hpp"
#include "engine.hpp"
#include "member.hpp"
#include "placed_boxes.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "refiner.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

namespace {

[[noreturn]] void refuse(Engine engine) {
    throw Error(ErrorCode::unsupported, std::string("engine ") + name(engine) +
                                            " cannot be used: " + missing_driver() + "; use engine host");
}

/// The reason is asked for in every automatic choice: missing_driver() wakes no driver, which would cost time and
/// host memory.
template <class T>
EngineEntry<T> absent_engine(Engine kind) {
    return {
        kind, &missing_driver, [](const Problem&, const Options&) { return std::string(); },
        [](const Problem&, const Options& options) -> std::unique_ptr<EngineBase<T>> { refuse(options.engine); },
        [](const Problem&, const Options& options) -> std::size_t { refuse(options.engine); }};
}

}  // namespace

template <class T>
EngineEntry<T> cufft_engine() {
    return absent_engine<T>(Engine::cufft);
}
template <class T>
EngineEntry<T> fused_engine() {
    return absent_engine<T>(Engine::fused);
}

void require_device_gradient(Engine engine) {
    refuse(engine);
}

template <class T>
void launch_gradient(const GradientTask<T>&, Stream) {
    refuse(Engine::cufft);
}

template <class T>
void launch_put_boxes(const PlacedBoxes&, const FieldView<const T>&, T, Stream) {
    refuse(Engine::fused);
}
template <class T>
void launch_take_boxes(const PlacedBoxes&, const FieldView<T>&, Stream) {
    refuse(Engine::fused);
}

template <class T>
std::unique_ptr<DeviceGradient<T>> make_device_gradient(const Problem&, const Options&, std::size_t,
                                                        const std::array<bool, 3>&) {
    refuse(Engine::cufft);
}
template <class T>
std::size_t device_gradient_bytes(const Problem&, const Options&) {
    refuse(Engine::cufft);
}

std::unique_ptr<Refiner> make_device_refiner(const Extents&, int, std::span<std::byte>) {
    refuse(Engine::cufft);
}

template <class T>
std::unique_ptr<MemberEngine<T>> make_device_member(const Problem&, const Options&, SplitMethod, const Parts&,
                                                    int) {
    refuse(Engine::fused);
}

template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_device_member(const Problem&, const Options&, const Parts&, int) {
    refuse(Engine::fused);
}

template <class T, class N>
std::unique_ptr<VariableSweeps<T, N>> make_device_variable_sweeps(const Problem&, int) {
    refuse(Engine::fused);
}
template <class T, class N>
std::size_t device_variable_sweeps_bytes(const Problem&) {
    refuse(Engine::fused);
}

template <class T>
CoefficientChecks<T> device_checks(int) {
    refuse(Engine::fused);
}
template CoefficientChecks<float> device_checks(int);
template CoefficientChecks<double> device_checks(int);

#define POISSON3D_INSTANCE(T, N)                                                                     \
    template std::unique_ptr<VariableSweeps<T, N>> make_device_variable_sweeps(const Problem&, int); \
    template std::size_t device_variable_sweeps_bytes<T, N>(const Problem&)
POISSON3D_INSTANCE(float, float);
POISSON3D_INSTANCE(double, double);
POISSON3D_INSTANCE(double, float);
#undef POISSON3D_INSTANCE

template <class T>
std::unique_ptr<ClosedFacesOnDevice<T>> make_closed_faces_on_device(const Problem&, Index, int,
                                                                    const std::array<ModeOrder, 3>&) {
    refuse(Engine::fused);
}
template std::unique_ptr<ClosedFacesOnDevice<float>> make_closed_faces_on_device(const Problem&, Index, int,
                                                                                 const std::array<ModeOrder, 3>&);
template std::unique_ptr<ClosedFacesOnDevice<double>> make_closed_faces_on_device(const Problem&, Index, int,
                                                                                  const std::array<ModeOrder, 3>&);

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();
template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();
template void launch_gradient(const GradientTask<float>&, Stream);
template void launch_gradient(const GradientTask<double>&, Stream);
template void launch_put_boxes(const PlacedBoxes&, const FieldView<const float>&, float, Stream);
template void launch_put_boxes(const PlacedBoxes&, const FieldView<const double>&, double, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<float>&, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<double>&, Stream);
template std::unique_ptr<DeviceGradient<float>> make_device_gradient(const Problem&, const Options&, std::size_t,
                                                                     const std::array<bool, 3>&);
template std::unique_ptr<DeviceGradient<double>> make_device_gradient(const Problem&, const Options&, std::size_t,
                                                                      const std::array<bool, 3>&);
template std::size_t device_gradient_bytes<float>(const Problem&, const Options&);
template std::size_t device_gradient_bytes<double>(const Problem&, const Options&);
template std::unique_ptr<MemberEngine<float>> make_device_member(const Problem&, const Options&, SplitMethod,
                                                                 const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_device_member(const Problem&, const Options&, SplitMethod,
                                                                  const Parts&, int);
template std::unique_ptr<MemberEngine<float>> make_padded_device_member(const Problem&, const Options&,
                                                                        const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_padded_device_member(const Problem&, const Options&,
                                                                         const Parts&, int);

}  // namespace poisson3d
