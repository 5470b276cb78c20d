// Free space by lines that are padded with zeros, in three sweeps:
//
//     1   lines along z       n → 2n modes                     from f to a field of modes of z
//     2   for V modes of z    a: n → 2n · b: n → 2n · times −K · b: 2n → n · a: 2n → n
//     3   lines along z       2n → n                           to u
//
// û = −K f̂, K the kernel of padded_symbol.hpp in the modes of the padded lines. a and b are x and y, b one that is
// free. Zeros are neither read nor stored, and what comes out beyond the box is not written: of the padded box
// there is no more at a time than a plane of a and b for V modes of z, in the memory of a thread, which a cache may
// hold. An axis that is not free has its own transform. Where z is not free the field of its modes is u itself.
#include "padded_engine.hpp"

#include "field_checks.hpp"
#include "field_passes.hpp"
#include "gauge_shift.hpp"
#include "move_rows.hpp"
#include "padded_sweeps.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class PaddedEngine final : public EngineBase<T> {
public:
    PaddedEngine(const Problem& problem, const Options& options)
        : memory_(FieldPasses<T>::memory_of(options)),
          sweeps_(problem, options, PaddedLayout<T>(problem, options)),
          gauge_(problem) {
        const auto label = [&](int axis) { return std::string(1, problem.grid.labels[axis]); };
        reports_ = {{"1 " + label(2) + " forward", 0.0, 0.0},
                    {"2 " + label(sweeps_.layout().a) + " " + label(sweeps_.layout().b) + " both ways", 0.0, 0.0},
                    {"3 " + label(2) + " backward", 0.0, 0.0}};
    }

    void run(const Call<T>& call, Stream) override {
        if (call.operation == ModeOperation::multiply)
            throw Error(
                ErrorCode::unsupported,
                "the operator of free space cannot be applied to a box of padded lines: u beyond the box is "
                "unknown");
        fields_ = call.fields;
        const PaddedLayout<T>& layout = sweeps_.layout();
        const Extents& n = layout.unknowns;
        const double points =
            static_cast<double>(n[0] * n[1] * n[2]) * static_cast<double>(call.fields) * sizeof(T);
        const double padding = static_cast<double>(layout.modes[2]) / static_cast<double>(n[2]);
        for (std::size_t s = 0; s < 3; ++s) reports_[s].seconds = 0.0;
        reports_[0].bytes = reports_[2].bytes = points * (1.0 + padding);
        reports_[1].bytes = points * 2.0 * padding;
        for (Index field = 0; field < call.fields; ++field) run_field(call.part(field, 1));
    }

    void results(std::span<Result> results, Stream) override { std::ranges::fill(results, Result{}); }

    BoundaryData<T> faces(const BoundaryData<T>&, Stream) override {
        throw Error(ErrorCode::unsupported,
                    "padded lines do not know u on free faces: found the middle transform, wanted automatic");
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return sweeps_.team().size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return sweeps_.layout().bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        const int threads = sweeps_.team().size();
        return "host, " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") +
               instruction_set().name + ", padded lines";
    }

private:
    void run_field(const Call<T>& call) {
        const PaddedLayout<T>& layout = sweeps_.layout();
        const Extents& n = layout.unknowns;
        FieldView<T> modes;
        Call<T> here = call;
        if (layout.pitch > 0) {
            modes = {reinterpret_cast<T*>(sweeps_.team().memory() + layout.field_of_modes),
                     {n[0], n[1], layout.modes[2]},
                     {n[1] * layout.pitch, layout.pitch, 1}};
        } else {
            T* data = call.u.data;
            for (int axis = 0; axis < 3; ++axis) data += layout.kinds[axis].first * call.u.strides[axis];
            modes = {data, n, call.u.strides};
            if (overlap<T>(call.f, call.u)) {
                move_rows<T>(call.f, call.u);
                here.f = call.u;
            }
        }
        const int across = axis_across(n, 2, kernels<T>().element_lines, layout.b);
        timed(reports_[0], [&] { sweeps_.forward_z(here, modes, across); });
        timed(reports_[1], [&] { sweeps_.columns(modes, 0, call.restore); });
        timed(reports_[2], [&] { sweeps_.backward_z(here, modes, across); });
        write_dirichlet_planes(call.u, call.boundary, 2);
        gauge_.apply(call.u, sweeps_.team().team());
    }

    Memory memory_;
    PaddedSweeps<T> sweeps_;
    GaugeShift<T> gauge_;
    Index fields_ = 1;
    std::vector<PassReport> reports_;
};

}  // namespace

template <class T>
std::unique_ptr<EngineBase<T>> make_padded_engine(const Problem& problem, const Options& options) {
    return std::make_unique<PaddedEngine<T>>(problem, options);
}

template <class T>
std::size_t padded_engine_bytes(const Problem& problem, const Options& options) {
    return PaddedLayout<T>(problem, options).bytes;
}

template std::unique_ptr<EngineBase<float>> make_padded_engine(const Problem&, const Options&);
template std::unique_ptr<EngineBase<double>> make_padded_engine(const Problem&, const Options&);
template std::size_t padded_engine_bytes<float>(const Problem&, const Options&);
template std::size_t padded_engine_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d::host
