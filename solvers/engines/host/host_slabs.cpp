// The host engine on a field of which a slab or a block is in memory (slab_engine.hpp): the passes of
// host_engine.cpp, aimed at one part after the other.
#include <algorithm>
#include <cstring>
#include <vector>

#include "field_passes.hpp"
#include "middle_axis.hpp"
#include "slab_cut.hpp"
#include "slab_engine.hpp"

namespace poisson3d::host {

namespace {

Options of_passes(const SlabOptions& options) {
    Options passes;
    passes.engine = Engine::host;
    passes.memory = Memory::low;  // scratch of threads stays small beside the buffers
    passes.threads = options.threads;
    passes.middle = options.middle;
    return passes;
}

/// The faces that a slab of a box touches, with its part of their data.
template <class T>
BoundaryTerms<T> terms_of_slab(const BoundaryTerms<T>& whole, const BoxPart& slab) {
    BoundaryTerms<T> terms = terms_of(whole, slab.x, slab.y);
    for (const int axis : {1, 2})
        for (FaceValues<T>& face : terms.face[axis])
            if (face.data != nullptr) face.data += slab.x.first * face.stride;
    return terms;
}

template <class T>
class HostSlabs final : public SlabEngine<T> {
public:
    using Fill = typename SlabSolver<T>::Fill;
    using Take = typename SlabSolver<T>::Take;

    HostSlabs(const Problem& problem, const SlabOptions& options)
        : eliminated_(eliminated_axis(problem, options.middle)),
          cut_(problem, options, eliminated_),
          memory_(cut_.plan(0).buffers),
          passes_(problem, of_passes(options), eliminated_, whole_box(problem)) {}

    void forward(const Call<T>& call, SlabStore& store, const Fill& fill) override {
        call_ = call;
        const bool open = singular(passes_.problem());
        passes_.begin(call.operation, open ? sampled_constant(fill) : Constant<T>{}, {});
        passes_.hold({});
        for (Index s = 0; s < cut_.slabs().pieces(); ++s) {
            const BoxPart part = cut_.slab(s);
            const FieldView<T> planes = slab(part);
            fill(part.x.first, planes);
            const Call<T> here = aim_at_slab(part, planes);
            for (const Sweep& sweep : sweeps_before()) passes_.run_sweep(sweep, here);
            exchange(part, planes, [&](std::uint64_t place, std::size_t bytes, const auto& copy) {
                copy(true);
                store.write(place, stage(), bytes);
            });
        }
    }

    void middle(SlabStore& store) override {
        for (Index b = 0; b < cut_.blocks().pieces(); ++b) {
            const BoxPart part = cut_.block(b);
            const FieldView<T> block(memory(), part.turned());
            const std::size_t bytes = static_cast<std::size_t>(block.size()) * sizeof(T);
            store.read(cut_.place(part, 0), block.data, bytes);
            passes_.aim(part, block);
            Call<T> here = call_;
            here.boundary = {};
            for (std::size_t p = first_of_middle(); p <= last_of_middle(); ++p)
                passes_.team().run(passes_.task(p, -1, here));
            store.write(cut_.place(part, 0), block.data, bytes);
        }
    }

    void backward(SlabStore& store, const Take& take) override {
        const Problem& problem = passes_.problem();
        if (problem.gauge.point && singular(problem) && call_.operation == ModeOperation::divide)
            passes_.hold(value_at_gauge(store, (*problem.gauge.point)[0]));
        for (Index s = 0; s < cut_.slabs().pieces(); ++s) {
            const BoxPart part = cut_.slab(s);
            const FieldView<T> planes = slab(part);
            bring(store, part, planes);
            const Call<T> here = aim_at_slab(part, planes);
            for (const Sweep& sweep : sweeps_after()) passes_.run_sweep(sweep, here);
            write_dirichlet_planes(planes, here.boundary, passes_.schedule()[4].axis() == 2 ? 2 : 3);
            take(part.x.first, planes);
        }
    }

    [[nodiscard]] Result result() const override { return passes_.result(call_.scale * call_.restore); }
    [[nodiscard]] SlabPlan plan() const noexcept override { return cut_.plan(passes_.layout().bytes); }
    [[nodiscard]] int threads() const noexcept override { return passes_.team().size(); }
    [[nodiscard]] std::string description() const override {
        const Index slabs = cut_.slabs().pieces();
        return "in " + std::to_string(slabs) + (slabs == 1 ? " slab, " : " slabs, ") + passes_.description();
    }

private:
    [[nodiscard]] T* memory() const noexcept { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] FieldView<T> slab(const BoxPart& part) const {
        const Extents points = passes_.problem().grid.points();
        return {memory(), {part.x.points, points[1], points[2]}};
    }
    [[nodiscard]] T* stage() const noexcept { return memory() + cut_.slab_bytes() / sizeof(T); }

    // Where x is in the middle, two passes are before it and two after; else it is in the blocks with that axis.
    [[nodiscard]] std::size_t first_of_middle() const noexcept { return eliminated_ <= 0 ? 2 : 1; }
    [[nodiscard]] std::size_t last_of_middle() const noexcept { return 4 - first_of_middle(); }
    [[nodiscard]] std::vector<Sweep> sweeps_before() const {
        std::vector<Sweep> before;
        for (const Sweep& sweep : passes_.sweeps())
            if (sweep.first < first_of_middle()) before.push_back(sweep);
        return before;
    }
    [[nodiscard]] std::vector<Sweep> sweeps_after() const {
        std::vector<Sweep> after;
        for (const Sweep& sweep : passes_.sweeps())
            if (sweep.first > last_of_middle()) after.push_back(sweep);
        return after;
    }

    [[nodiscard]] FieldView<T> unknowns_of(const BoxPart& part, FieldView<T> planes) const {
        const AxisKind& z = passes_.layout().kinds[2];
        return {&planes(part.x.first_stored, part.y.first_stored, z.first), part.unknowns(z.unknowns),
                planes.strides};
    }

    Call<T> aim_at_slab(const BoxPart& part, FieldView<T> planes) {
        passes_.aim(part, unknowns_of(part, planes));
        Call<T> here = call_;
        here.f = planes, here.u = planes;
        here.boundary = terms_of_slab(call_.boundary, part);
        return here;
    }

    /// move(place in the store, bytes, copy) for the piece that a slab has of each block, or for as many planes of
    /// it as the stage holds: copy(true) fills the stage from the slab, copy(false) the slab from the stage.
    template <class Move>
    void exchange(const BoxPart& part, FieldView<T> planes, const Move& move) {
        const FieldView<T> unknowns = unknowns_of(part, planes);
        for (Index b = 0; b < cut_.blocks().pieces(); ++b) {
            const BoxPart block = cut_.block(b);
            const Extents first{0, block.y_modes.first, block.z_modes.first};
            const Index rows = block.y_modes.count, length = block.z_modes.count;
            const std::size_t row = static_cast<std::size_t>(length) * sizeof(T);
            const std::size_t plane = row * static_cast<std::size_t>(rows);
            const Index step = std::max<Index>(1, static_cast<Index>(cut_.stage_bytes() / plane));
            for (Index i = 0; i < part.x.unknowns; i += step) {
                const Index count = std::min(step, part.x.unknowns - i);
                const auto copy = [&](bool fill) {
                    passes_.team().team().parallel_for(count * rows, rows, [&](Index begin, Index end, int) {
                        for (Index at = begin; at < end; ++at) {
                            T* const in_stage = stage() + at * length;
                            T* const in_slab = &unknowns(i + at / rows, first[1] + at % rows, first[2]);
                            std::memcpy(fill ? in_stage : in_slab, fill ? in_slab : in_stage, row);
                        }
                    });
                };
                move(cut_.place(block, part.x.first_unknown + i), plane * static_cast<std::size_t>(count), copy);
            }
        }
    }
    void bring(SlabStore& store, const BoxPart& part, FieldView<T> planes) {
        exchange(part, planes, [&](std::uint64_t place, std::size_t bytes, const auto& copy) {
            store.read(place, stage(), bytes);
            copy(false);
        });
    }

    /// Of the slab that has the plane; its pieces in the store stay as they are.
    T value_at_gauge(SlabStore& store, Index plane) {
        const BoxPart part = cut_.slab(cut_.slab_of(plane));
        const FieldView<T> planes = slab(part);
        bring(store, part, planes);
        const Call<T> here = aim_at_slab(part, planes);
        const std::vector<Sweep> after = sweeps_after();
        for (const Sweep& sweep : after)
            if (&sweep != &after.back()) passes_.run_sweep(sweep, here);
        return passes_.value_at_gauge(after.back(), here);
    }

    /// From the samples that a solve in memory takes, plane by plane.
    Constant<T> sampled_constant(const Fill& fill) {
        const Extents points = passes_.problem().grid.points();
        const Samples samples({points[1] * points[2], points[2], 1}, points);
        const Index each = samples.stretches(), length = samples.length(), plane = points[1] * points[2];
        std::vector<T> numbers(static_cast<std::size_t>(Samples::groups * each * length));
        const auto copy_of = [&](int group, Index s) { return numbers.data() + (group * each + s) * length; };
        const Index step = cut_.most_planes();
        for (Index begin = 0; begin < points[0]; begin += step) {
            Index first = points[0], last = -1;
            const auto for_each_here = [&](const auto& body) {
                for (int g = 0; g < Samples::groups; ++g)
                    for (Index s = 0; s < each; ++s) {
                        const Index at = samples.first(g, s), i = at / plane;
                        if (i >= begin && i < begin + step) body(g, s, at, i);
                    }
            };
            for_each_here(
                [&](int, Index, Index, Index i) { first = std::min(first, i), last = std::max(last, i); });
            if (last < first) continue;
            fill(first, {memory(), {last - first + 1, points[1], points[2]}});
            for_each_here([&](int g, Index s, Index at, Index) {
                std::copy_n(memory() + (at - first * plane), length, copy_of(g, s));
            });
        }
        return typical_value<T>(samples, copy_of);
    }

    int eliminated_;
    SlabCut<T> cut_;
    HostBuffer memory_;  ///< a slab and the stage behind it, or a block
    FieldPasses<T> passes_;
    Call<T> call_;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
std::unique_ptr<SlabEngine<T>> make_host_slabs(const Problem& problem, const SlabOptions& options) {
    return std::make_unique<host::HostSlabs<T>>(problem, options);
}

template <class T>
SlabPlan host_slab_plan(const Problem& problem, const SlabOptions& options) {
    const int eliminated = eliminated_axis(problem, options.middle);
    const Options passes = host::of_passes(options);
    return host::SlabCut<T>(problem, options, eliminated)
        .plan(host::make_layout<T>(problem, Memory::low, host::thread_count(passes), eliminated, whole_box(problem))
                  .bytes);
}

template std::unique_ptr<SlabEngine<float>> make_host_slabs(const Problem&, const SlabOptions&);
template std::unique_ptr<SlabEngine<double>> make_host_slabs(const Problem&, const SlabOptions&);
template SlabPlan host_slab_plan<float>(const Problem&, const SlabOptions&);
template SlabPlan host_slab_plan<double>(const Problem&, const SlabOptions&);

}  // namespace poisson3d
