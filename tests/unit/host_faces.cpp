// What is done with faces on a GPU, on the host by plain loops.
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

template void launch_sum(const ModeSweeps<float>&, Stream);
template void launch_sum(const ModeSweeps<double>&, Stream);
template void launch_gather(const ModeSweeps<float>&, Stream);
template void launch_gather(const ModeSweeps<double>&, Stream);
template void launch_spread(const ModeSweeps<float>&, Stream);
template void launch_spread(const ModeSweeps<double>&, Stream);
template void launch_add(const ModeSweeps<float>&, Stream);
template void launch_add(const ModeSweeps<double>&, Stream);

}  // namespace poisson3d::walled
