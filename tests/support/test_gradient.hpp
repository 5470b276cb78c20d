// The gradient as the tests use it: fields in host memory, whatever the engine. A device engine gets copies of
// them, and of the boundary data, in device memory.
#pragma once

#include <array>
#include <list>

#include "device_fields.hpp"
#include "engine_under_test.hpp"
#include "poisson3d/gradient.hpp"
#include "problems.hpp"

namespace poisson3d::test {

template <class T>
using Components = std::array<FieldView<T>, 3>;

template <class T>
class TestGradient {
public:
    explicit TestGradient(const Problem& problem, const Options& options = test_options())
        : points_(problem.grid.points()), gradient_(problem, options) {}

    void evaluate(FieldView<const T> u, const Components<T>& out, const BoundaryData<T>& boundary = {}) {
        with_fields(u, out, boundary,
                    [&](auto from, const auto& to, const auto& data) { gradient_.evaluate(from, to, data); });
    }
    void evaluate_planes(FieldView<const T> u, Index first, const Components<T>& out,
                         const BoundaryData<T>& boundary = {}) {
        with_fields(u, out, boundary, [&](auto from, const auto& to, const auto& data) {
            gradient_.evaluate_planes(from, first, to, data);
        });
    }

    [[nodiscard]] const Gradient<T>& plain() const { return gradient_; }

private:
    template <class Call>
    void with_fields(FieldView<const T> u, const Components<T>& out, const BoundaryData<T>& boundary, Call call) {
        if (!on_device_under_test) {
            call(u, out, boundary);
        } else {
            std::list<DeviceImage> inputs, outputs;
            const auto input = [&](const T* data, const Range& range) -> const T* {
                return data == nullptr ? nullptr : static_cast<const T*>(inputs.emplace_back(range).at(data));
            };
            FieldView<const T> from = u;
            from.data = input(u.data, range_of(u));
            Components<T> to = out;
            for (FieldView<T>& view : to)
                if (view.data != nullptr)
                    view.data = static_cast<T*>(outputs.emplace_back(range_of<T>(view)).at(view.data));
            BoundaryData<T> data = boundary;
            for (int a = 0; a < 3; ++a)
                for (FaceValues<T>& face : data.faces[a]) {
                    const auto [rows, columns] = extents_of_face(points_, a);
                    face.data =
                        input(face.data,
                              range_of(FieldView<const T>(face.data, {1, rows, columns}, {0, face.stride, 1})));
                }
            const auto fetch = [&] {
                for (DeviceImage& image : outputs) image.fetch(), image.put_back();
                for (DeviceImage& image : inputs) {
                    image.fetch();
                    EXPECT_FALSE(image.differs()) << "something that is only read was written";
                }
            };
            try {
                call(from, to, data);
            } catch (...) {
                fetch();  // a call that refuses must have left all as it was
                throw;
            }
            fetch();
        }
    }

    Extents points_;
    Gradient<T> gradient_;
};

/// Three fields filled with what no gradient holds.
template <class T>
struct GradientFields {
    explicit GradientFields(const Extents& points)
        : fields{filled_field<T>(points), filled_field<T>(points), filled_field<T>(points)} {}
    [[nodiscard]] Components<T> views() { return {fields[0].view(), fields[1].view(), fields[2].view()}; }

    std::array<Field<T>, 3> fields;
};

template <class T>
GradientFields<T> gradient_of(const Problem& problem, FieldView<const T> u, const BoundaryData<T>& boundary = {},
                              const Options& options = test_options()) {
    GradientFields<T> gradient(problem.grid.points());
    TestGradient<T>(problem, options).evaluate(u, gradient.views(), boundary);
    return gradient;
}

}  // namespace poisson3d::test
