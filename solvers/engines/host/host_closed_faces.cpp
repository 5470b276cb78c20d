// The face operator alone (closed_faces.hpp), for members: faces come in the order of their middle pass
// (summed_faces.hpp), and go through face_operator.hpp.
#include <memory>

#include "closed_line_ends.hpp"

namespace poisson3d::host {

namespace {

/// Two or three free axes.
template <class T>
class HostClosedFaces final : public SummedFaces<T> {
public:
    HostClosedFaces(const Problem& problem, Index fields, int threads, bool eliminates)
        : SummedFaces<T>(problem, fields, eliminates),
          walled_(make_walled_layout<T>(problem, Options{.threads = threads, .workspace = {}}, false)),
          passes_(lines::close_faces(problem), Options{.threads = threads, .workspace = {}}, -1, whole_box(problem),
                  walled_.layout),
          operator_(problem, walled_, passes_.team(), bound_axis()) {
        this->use(passes_.team(), {&passes_.axis(0), &passes_.axis(1), &passes_.axis(2)});
    }

    [[nodiscard]] std::size_t bytes() const override { return SummedFaces<T>::bytes() + walled_.layout.bytes; }

protected:
    void run(FacesByPart<T>& left, FacesByPart<T>& values, const FaceShare& share) override {
        operator_.run(left, values, share);
    }

private:
    [[nodiscard]] const PlannedAxis<T>* bound_axis() const {
        for (int a = 0; a < 3; ++a)
            if (walled_.closed[a].faces == 0) return &passes_.axis(a);
        return nullptr;
    }

    WalledLayout walled_;
    FieldPasses<T> passes_;
    FaceOperator<T> operator_;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
std::unique_ptr<ClosedFacesOnHost<T>> make_closed_faces(const Problem& problem, Index fields, int threads,
                                                        bool eliminates) {
    if (unbounded_axes(problem.grid) == 1)
        return std::make_unique<host::ClosedLineEnds<T>>(problem, fields, threads, eliminates);
    return std::make_unique<host::HostClosedFaces<T>>(problem, fields, threads, eliminates);
}

template std::unique_ptr<ClosedFacesOnHost<float>> make_closed_faces(const Problem&, Index, int, bool);
template std::unique_ptr<ClosedFacesOnHost<double>> make_closed_faces(const Problem&, Index, int, bool);

}  // namespace poisson3d
