// Spectral gradients in device memory: a derivative along each axis, and the memory that they share.
#include "device_gradient.hpp"

#include <algorithm>
#include <optional>

#include "axis_derivative.hpp"
#include "field_sweeps.hpp"

namespace poisson3d {

namespace cufft {

namespace {

template <class T>
class SpectralGradient final : public DeviceGradient<T> {
public:
    /// Of the current device, as is all it does.
    SpectralGradient(const Problem& problem, int device, std::size_t room,
                     const std::array<bool, 3>& wanted = {true, true, true})
        : device_(device) {
        if (room == 0) room = max_work<T>(problem);
        WorkspaceLayout layout;
        std::size_t slab = 0;
        std::size_t lines = 0;
        std::size_t fft = 1;  // cuFFT fails where an area of no bytes is its data
        for (int a = 0; a < 3; ++a) {
            if (!wanted[a] || axis_kind(derivative_axis(problem.grid.axes[a])).unknowns == 0) continue;
            AxisDerivative<T>& axis = axes_[a].emplace(problem.grid, a, room);
            axis.reserve(layout);
            slab = std::max(slab, axis.slab_bytes());
            lines = std::max(lines, axis.lines_bytes());
            fft = std::max(fft, axis.fft_bytes());
        }
        offsets_ = {layout.take(slab), layout.take(slab), layout.take(lines), layout.take(fft)};
        bytes_ = layout.end();
    }

    /// Takes its memory.
    void bind(std::span<std::byte> given) {
        std::byte* const workspace = take_workspace(given, bytes_, own_);
        const auto slab = [&](int number) { return reinterpret_cast<T*>(workspace + offsets_[number]); };
        for (std::optional<AxisDerivative<T>>& axis : axes_)
            if (axis) axis->bind(workspace, {slab(0), slab(1), workspace + offsets_[2], workspace + offsets_[3]});
    }

    void evaluate(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient, Stream stream) override {
        const DeviceScope scope(device_);
        for (int a = 0; a < 3; ++a) {
            const FieldView<T>& out = gradient[a];
            if (out.data == nullptr) continue;
            if (axes_[a])
                axes_[a]->run(u, out, stream);
            else
                launch_held(out, Extents{}, out.extents, BoundaryTerms<T>{}, 1, 0, stream);
        }
    }

    [[nodiscard]] std::size_t workspace() const noexcept override { return bytes_; }

private:
    int device_;
    std::array<std::optional<AxisDerivative<T>>, 3> axes_;  ///< none: the derivative is 0 at all points
    std::array<std::size_t, 4> offsets_{};                  ///< two slabs, lines, FFTs
    std::size_t bytes_ = 0;
    DeviceBuffer own_;
};

}  // namespace
}  // namespace cufft

template <class T>
std::unique_ptr<DeviceGradient<T>> make_device_gradient(const Problem& problem, const Options& options,
                                                        std::size_t room, const std::array<bool, 3>& axes) {
    const DeviceScope scope(options.device);
    auto gradient = std::make_unique<cufft::SpectralGradient<T>>(problem, options.device, room, axes);
    gradient->bind(options.workspace);
    return gradient;
}

template <class T>
std::size_t device_gradient_bytes(const Problem& problem, const Options& options) {
    const DeviceScope scope(options.device);
    return cufft::SpectralGradient<T>(problem, options.device, 0).workspace();
}

template std::unique_ptr<DeviceGradient<float>> make_device_gradient(const Problem&, const Options&, std::size_t,
                                                                     const std::array<bool, 3>&);
template std::unique_ptr<DeviceGradient<double>> make_device_gradient(const Problem&, const Options&, std::size_t,
                                                                      const std::array<bool, 3>&);
template std::size_t device_gradient_bytes<float>(const Problem&, const Options&);
template std::size_t device_gradient_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d
