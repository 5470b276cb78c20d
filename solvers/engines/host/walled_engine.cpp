// Two or three free axes on the host, second_order, without padding: walls and the charges on them.
//
//     sweep 1   per plane of x: lines along z, then along y     forward
//     sweep 2   lines along x                                   forward; divided modes are added up, others stay
//     faces     from what is left on the walls to the values of u there, n² numbers a face
//     sweep 3   lines along x                                   those values added, mode space, backward
//     sweep 4   per plane of x: lines along y, then along z     backward
//
// Where lines along x go by a chirp, x is eliminated in sweep 2, which leaves the field as it is, and again in 3.
//
// The box is closed by Dirichlet walls (lines/closed_axis.hpp); u between them, continued by 0, satisfies the
// equations of free space but for charges on the walls. What these give on the walls (lines/face_tables.hpp) is
// their right boundary data, and with it the walled solution is the one in free space, to rounding.
//
// Source: James, J. Comput. Phys. 25 (1977).
#include "walled_engine.hpp"

#include <algorithm>
#include <vector>

#include "face_operator.hpp"
#include "face_sums.hpp"
#include "field_checks.hpp"
#include "field_passes.hpp"
#include "kept_faces.hpp"
#include "move_rows.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class WalledEngine final : public EngineBase<T> {
public:
    /// Unknowns are stored where they are with free faces: closing moves none.
    WalledEngine(const Problem& problem, const Options& options)
        : problem_(problem),
          memory_(FieldPasses<T>::memory_of(options)),
          walled_(make_walled_layout<T>(problem, options)),
          passes_(lines::close_faces(problem), options, walled_.eliminates ? 0 : -1, whole_box(problem),
                  walled_.layout),
          sums_(walled_, passes_, passes_.team().memory()),
          operator_(problem, walled_, passes_.team(), bound_axis()),
          kept_(problem, walled_, passes_) {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < walled_.closed[a].faces; ++part) {
                left_[a][part] = face_at(a, walled_.left[a][part]);
                values_[a][part] = face_at(a, walled_.values[a][part]);
            }
        plan_reports();
        results_.resize(static_cast<std::size_t>(options.batch));
    }

    void run(const Call<T>& call, Stream) override {
        if (call.operation != ModeOperation::divide)
            throw Error(
                ErrorCode::unsupported,
                "the operator cannot be applied to u in a box with two or three free axes: u beyond the box is "
                "not known");
        for (PassReport& report : reports_) report.seconds = 0.0;
        fields_ = call.fields;
        for (Index b = 0; b < call.fields; ++b) run_field(call.part(b, 1), b);
    }

    void results(std::span<Result> results, Stream) override {
        std::copy_n(results_.begin(), results.size(), results.begin());
    }

    BoundaryData<T> faces(const BoundaryData<T>& walls, Stream) override { return kept_.with(walls, fields_); }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return passes_.team().size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return walled_.layout.bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        return passes_.description() + ", free faces closed by walls";
    }

private:
    [[nodiscard]] const PlannedAxis<T>* bound_axis() const {
        for (int a = 0; a < 3; ++a)
            if (walled_.closed[a].faces == 0) return &passes_.axis(a);
        return nullptr;
    }

    [[nodiscard]] FaceArray<T> face_at(int axis, std::size_t offset) {
        return walled_.face_at(axis, reinterpret_cast<T*>(passes_.team().memory() + offset));
    }

    /// Of the sweeps, with the middle one as two and the faces between.
    void plan_reports() {
        const auto add = [&](const std::string& name, double bytes) { reports_.push_back({name, 0.0, bytes}); };
        const auto number = [&] { return static_cast<int>(reports_.size()) + 1; };
        for (const Sweep& sweep : passes_.sweeps()) {
            const std::string name = describe(sweep, number(), passes_.schedule(), problem_.grid.labels);
            if (sweep.first == 2) {
                add(std::to_string(number()) + " " + problem_.grid.labels[0] + " to the faces",
                    passes_.traffic() / 2);
                add(std::to_string(number()) + " faces", 0.0);
                add(std::to_string(number()) + " " + problem_.grid.labels[0] + " both ways", passes_.traffic());
            } else {
                add(name, passes_.traffic());
            }
        }
    }

    /// What the next report is about.
    template <class Step>
    void next(const Step& step) {
        timed(reports_[report_++], step);
    }

    void run_field(const Call<T>& call, Index field) {
        passes_.begin(call.operation, {}, passes_.unknowns_of(call.u));
        const bool moved = overlap<T>(call.f, call.u);
        if (moved) move_rows<T>(call.f, call.u);
        Call<T> here = call;
        if (moved) here.f = call.u;
        report_ = 0;
        for (const Sweep& sweep : passes_.sweeps()) {
            if (sweep.first != 2) {
                next([&] { passes_.run_sweep(sweep, here); });
                continue;
            }
            next([&] { sums_.sum(passes_.task(2, -1, here), left_); });
            next([&] {
                transform_faces(left_, Direction::backward);
                operator_.run(left_, values_);
                kept_.keep(values_, field);
                transform_faces(values_, Direction::forward);
            });
            next([&] { sums_.add(passes_.task(2, -1, here), values_); });
        }
        write_dirichlet_planes(call.u, call.boundary, 2);
        kept_.finish(passes_.unknowns_of(call.u), call.u, field);
    }

    /// Along the axes of each face that are free and in modes.
    void transform_faces(const FacesByPart<T>& faces, Direction direction) {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < walled_.closed[a].faces; ++part) {
                const FaceArray<T>& face = faces[a][part];
                for (const int axis : {face.rows, face.columns})
                    if (walled_.closed[axis].faces > 0 && !(axis == 0 && walled_.eliminates))
                        passes_.team().run(lines_of_plane(face.data, face.pitch, walled_.unknowns(face.rows),
                                                          walled_.unknowns(face.columns), axis == face.columns,
                                                          passes_.axis(axis).line(), direction));
            }
    }

    Problem problem_;
    Memory memory_;
    WalledLayout walled_;
    FieldPasses<T> passes_;
    FaceSums<T> sums_;
    FaceOperator<T> operator_;
    KeptFaces<T> kept_;
    FacesByPart<T> left_, values_;
    Index fields_ = 0;  ///< of the last call
    std::size_t report_ = 0;
    std::vector<Result> results_;
    std::vector<PassReport> reports_;
};

}  // namespace

template <class T>
std::unique_ptr<EngineBase<T>> make_walled_engine(const Problem& problem, const Options& options) {
    return std::make_unique<WalledEngine<T>>(problem, options);
}

template <class T>
std::size_t walled_workspace_bytes(const Problem& problem, const Options& options) {
    return make_walled_layout<T>(problem, options).layout.bytes;
}

template std::unique_ptr<EngineBase<float>> make_walled_engine(const Problem&, const Options&);
template std::unique_ptr<EngineBase<double>> make_walled_engine(const Problem&, const Options&);
template std::size_t walled_workspace_bytes<float>(const Problem&, const Options&);
template std::size_t walled_workspace_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d::host
