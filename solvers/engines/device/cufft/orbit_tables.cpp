#include "orbit_tables.hpp"

#include "line_plan.hpp"
#include "single_step.hpp"
#include "spectrum.hpp"
#include "type_one.hpp"

namespace poisson3d::cufft {

template <class T>
AxisTables<T> make_axis_tables(const Axis& axis, Discretization discretization, Listing listing) {
    AxisTables<T> tables;
    tables.kind = axis_kind(axis);
    const AxisKind& kind = tables.kind;
    const std::vector<double> by_mode = eigenvalues(axis, discretization);
    tables.eigenvalues.resize(by_mode.size());
    if (kind.forward == Transform::dct1 || kind.forward == Transform::dst1) {
        const TypeOne<T> line(kind.forward, kind.unknowns, listing);
        tables.rows = line.rows();
        tables.ffts = line.blocks();
        tables.mirror = line.mirror();
        tables.forward_pre = line.samples(true);
        tables.forward_post = line.modes(true);
        tables.backward_pre = line.modes(false);
        tables.backward_post = line.samples(false);
        tables.eigenvalues.assign(by_mode.begin(), by_mode.end());
        return tables;
    }
    const LinePlan<T> forward_plan = make_line_plan<T>(kind.forward, kind.unknowns);
    const LinePlan<T> backward_plan =
        kind.forward == kind.backward ? transposed(forward_plan) : make_line_plan<T>(kind.backward, kind.unknowns);
    const SingleStep<T> forward(forward_plan, listing);
    const SingleStep<T> backward(backward_plan, listing);
    tables.rows = forward.rows();
    tables.ffts = {forward.block()};
    tables.forward_pre = forward.pre(false);
    tables.forward_post = forward.post(true);
    tables.backward_pre = backward.pre(true);
    tables.backward_post = backward.post(false);
    for (Index k = 0; k < kind.unknowns; ++k)
        tables.eigenvalues[forward.slot(forward_plan.store[k].row)] = static_cast<T>(by_mode[k]);
    return tables;
}

template AxisTables<float> make_axis_tables(const Axis&, Discretization, Listing);
template AxisTables<double> make_axis_tables(const Axis&, Discretization, Listing);

}  // namespace poisson3d::cufft
