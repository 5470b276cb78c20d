// What is done with faces on a GPU, on the host by plain loops.
#include <algorithm>
#include <array>

#include "box_sweeps.hpp"
#include "face_planes.hpp"
#include "face_products.hpp"
#include "mode_sweeps.hpp"

namespace poisson3d::walled {

namespace {

template <class T>
T element(const Matrix<T>& m, Index i, Index j) {
    return m.data[i * m.row + j * m.column];
}

template <class T, class Body>
void for_each(const AllFacePlanes<T>& planes, const Body& body) {
    for (const FacePlanes<T>& mine : planes.of)
        for (Index i = 0; i < mine.rows.even(); ++i)
            for (Index j = 0; j < mine.columns.even(); ++j) body(mine, i, j);
}

}  // namespace

template <class T>
void launch_products(const Products<T>& products, Stream) {
    for (Index number = 0; number < products.count; ++number) {
        const Product<T>& p = products.table[number];
        for (Index i = 0; i < p.rows; ++i)
            for (Index j = 0; j < p.columns; ++j) {
                double sum = 0;
                for (int t = 0; t < p.terms; ++t)
                    for (Index k = 0; j < p.term[t].columns && k < p.term[t].inner; ++k)
                        sum += static_cast<double>(element(p.term[t].a, i, k)) *
                               static_cast<double>(element(p.term[t].b, k, j));
                if (p.times.data != nullptr) sum *= static_cast<double>(element(p.times, i, j));
                p.out.data[i * p.out.row + j * p.out.column] = static_cast<T>(sum);
            }
    }
}

template <class T>
void launch_take(const AllFacePlanes<T>& planes, Stream) {
    for_each(planes, [](const FacePlanes<T>& mine, Index i, Index j) { mine.take(i, j); });
}
template <class T>
void launch_give(const AllFacePlanes<T>& planes, Stream) {
    for_each(planes, [](const FacePlanes<T>& mine, Index i, Index j) { mine.give(i, j); });
}
template <class T>
void launch_move_outside(const AllFacePlanes<T>& planes, Stream) {
    for_each(planes, [](const FacePlanes<T>& mine, Index i, Index j) { mine.move_outside(i, j); });
}

template void launch_products(const Products<float>&, Stream);
template void launch_products(const Products<double>&, Stream);
template void launch_take(const AllFacePlanes<float>&, Stream);
template void launch_take(const AllFacePlanes<double>&, Stream);
template void launch_give(const AllFacePlanes<float>&, Stream);
template void launch_give(const AllFacePlanes<double>&, Stream);
template void launch_move_outside(const AllFacePlanes<float>&, Stream);
template void launch_move_outside(const AllFacePlanes<double>&, Stream);

template <class T>
void launch_sum(const ModeSweeps<T>& sweeps, Stream) {
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    for (Index i = 0; i < sweeps.middle.points; ++i) {
        for (int a = 0; a < 2; ++a)
            for (Index tile = 0; tile < sweeps.modes[a].tiles(); ++tile)
                for (int part = 0; part < sweeps.modes[a].faces; ++part)
                    for (Index slot = 0; slot < sweeps.modes[1 - a].count; ++slot)
                        sweeps.modes[a].partial[sweeps.partial_at(a, tile, part, i) + slot] = 0;
        for (Index j = 0; j < j_axis.count; ++j)
            for (Index k = 0; k < k_axis.count; ++k) {
                const T value = sweeps.divided[i * sweeps.divided_i + j * sweeps.divided_j + k];
                if (j_axis.faces > 0)
                    j_axis.partial[sweeps.partial_at(0, j / tile_of_sums, j_axis.part(j), i) + k] +=
                        j_axis.sums[j] * value;
                if (k_axis.faces > 0)
                    k_axis.partial[sweeps.partial_at(1, k / tile_of_sums, k_axis.part(k), i) + j] +=
                        k_axis.sums[k] * value;
            }
    }
}

template <class T>
void launch_gather(const ModeSweeps<T>& sweeps, Stream) {
    for (int job = 0; job < sweeps.jobs; ++job)
        for (Index row = 0; sweeps.has(job) && row < sweeps.gathered_rows(job); ++row)
            for (Index column = 0; column < sweeps.gathered_columns(job); ++column) sweeps.gather(job, row, column);
}

template <class T>
void launch_spread(const ModeSweeps<T>& sweeps, Stream) {
    for (int job = 0; job < sweeps.jobs; ++job)
        for (Index row = 0; sweeps.has(job) && row < sweeps.spread_rows(job); ++row)
            for (Index column = 0; column < sweeps.spread_columns(job); ++column) sweeps.spread(job, row, column);
}

template <class T>
void launch_add(const ModeSweeps<T>& sweeps, Stream) {
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    for (Index j = 0; j < j_axis.count; ++j)
        for (Index k = 0; k < k_axis.count; ++k)
            for (Index i = 0; i < sweeps.middle.points; ++i) {
                T sum = sweeps.at_ends(i, j, k);
                if (j_axis.faces > 0) sum += j_axis.terms[j] * sweeps.spread_value(0, j_axis.part(j), k, i);
                if (k_axis.faces > 0) sum += k_axis.terms[k] * sweeps.spread_value(1, k_axis.part(k), j, i);
                sweeps.field[j * sweeps.field_j + k * sweeps.field_k + i] += sum;
            }
}

template <class T>
void launch_add_planes(const ModeSweeps<T>& sweeps, Stream) {
    const SweptModes<T>&j_axis = sweeps.modes[0], &k_axis = sweeps.modes[1];
    for (Index i = sweeps.first_i; i < sweeps.last_i; ++i)
        for (Index j = 0; j < j_axis.count; ++j)
            for (Index k = 0; k < k_axis.count; ++k) {
                T sum = sweeps.at_ends(i, j, k);
                if (j_axis.faces > 0) sum += j_axis.terms[j] * sweeps.plane_value(0, j_axis.part(j), k, i);
                if (k_axis.faces > 0) sum += k_axis.terms[k] * sweeps.plane_value(1, k_axis.part(k), j, i);
                sweeps.field[i * sweeps.field_i + j * sweeps.field_j + k] += sum;
            }
}

template <class T>
void launch_collect(const ModeSweeps<T>& sweeps, const ModeSweeps<T>& to, Stream) {
    for (int job = 0; job < sweeps.jobs; ++job)
        for (Index row = 0; sweeps.has(job) && row < sweeps.collected_rows(job); ++row)
            for (Index column = 0; column < sweeps.gathered_columns(job); ++column)
                sweeps.collect(to, job, row, column);
}

template void launch_sum(const ModeSweeps<float>&, Stream);
template void launch_sum(const ModeSweeps<double>&, Stream);
template void launch_gather(const ModeSweeps<float>&, Stream);
template void launch_gather(const ModeSweeps<double>&, Stream);
template void launch_spread(const ModeSweeps<float>&, Stream);
template void launch_spread(const ModeSweeps<double>&, Stream);
template void launch_add(const ModeSweeps<float>&, Stream);
template void launch_add(const ModeSweeps<double>&, Stream);
template void launch_collect(const ModeSweeps<float>&, const ModeSweeps<float>&, Stream);
template void launch_collect(const ModeSweeps<double>&, const ModeSweeps<double>&, Stream);
template void launch_add_planes(const ModeSweeps<float>&, Stream);
template void launch_add_planes(const ModeSweeps<double>&, Stream);

template <class T>
void launch_box_sum(const BoxSweeps<T>& sweeps, Stream) {
    const auto& axes = sweeps.axes;
    for (int a = 0; a < 3; ++a)
        std::fill_n(axes[a].partial,
                    sweeps.partials(a) * axes[sweeps.first_of(a)].count * axes[sweeps.second_of(a)].count, T(0));
    for (Index t = 0; t < axes[0].tiles(); ++t)
        for (Index s = 0; s < axes[1].tiles(); ++s)
            for (Index p = axes[0].tile_at(t).first; p < axes[0].tile_at(t).last; ++p)
                for (Index q = axes[1].tile_at(s).first; q < axes[1].tile_at(s).last; ++q)
                    for (Index k = 0; k < axes[2].count; ++k) {
                        const Index i = axes[0].order[p], j = axes[1].order[q];
                        const T lambda =
                            sweeps.shift + axes[0].eigenvalues[i] + axes[1].eigenvalues[j] + axes[2].eigenvalues[k];
                        const T u = sweeps.divided(sweeps.field[i * sweeps.slow + j * sweeps.row + k], lambda);
                        if (axes[0].faces > 0)
                            sweeps.partial_of(0, t)[j * axes[2].count + k] += axes[0].sums[i] * u;
                        if (axes[1].faces > 0)
                            sweeps.partial_of(1, s)[i * axes[2].count + k] += axes[1].sums[j] * u;
                        if (axes[2].faces > 0)
                            sweeps.partial_of(2, k / columns_of_tile * axes[2].faces +
                                                     axes[2].part(k))[i * axes[1].count + j] += axes[2].sums[k] * u;
                    }
}

template <class T>
void launch_box_gather(const BoxSweeps<T>& sweeps, Stream) {
    for (int job = 0; job < sweeps.jobs; ++job)
        for (Index d = 0; sweeps.has(job) && d < sweeps.axes[sweeps.first_of(job / 2)].count; ++d)
            for (Index e = 0; e < sweeps.axes[sweeps.second_of(job / 2)].count; ++e) sweeps.gather(job, d, e);
}

template <class T>
void launch_box_divide(const BoxSweeps<T>& sweeps, Stream) {
    const auto& axes = sweeps.axes;
    for (Index i = 0; i < axes[0].count; ++i)
        for (Index j = 0; j < axes[1].count; ++j)
            for (Index k = 0; k < axes[2].count; ++k) {
                const std::array<Index, 3> slot{i, j, k};
                T& at = sweeps.field[i * sweeps.slow + j * sweeps.row + k];
                T sum = at, lambda = sweeps.shift;
                for (int a = 0; a < 3; ++a) {
                    const auto d = slot[sweeps.first_of(a)], e = slot[sweeps.second_of(a)];
                    lambda += axes[a].eigenvalues[slot[a]];
                    if (axes[a].faces == 0) continue;
                    const Index place_d = axes[sweeps.first_of(a)].place[d];
                    sum += axes[a].terms[slot[a]] / sweeps.restore *
                           sweeps.given(a, axes[a].part(slot[a]), place_d)[axes[sweeps.second_of(a)].place[e]];
                }
                at = sweeps.divided(sum, lambda);
            }
}

template void launch_box_sum(const BoxSweeps<float>&, Stream);
template void launch_box_sum(const BoxSweeps<double>&, Stream);
template void launch_box_gather(const BoxSweeps<float>&, Stream);
template void launch_box_gather(const BoxSweeps<double>&, Stream);
template void launch_box_divide(const BoxSweeps<float>&, Stream);
template void launch_box_divide(const BoxSweeps<double>&, Stream);

}  // namespace poisson3d::walled
