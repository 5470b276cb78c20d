// What is done with faces on a GPU, on the host by plain loops.
#include "face_planes.hpp"
#include "face_products.hpp"
#include "free_gauge.hpp"

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

template <class T>
void launch_mean(const WeightedMean<T>& task, Stream) {
    double sum = 0;
    for (Index i = 0; i < task.u.extents[0]; ++i)
        for (Index j = 0; j < task.u.extents[1]; ++j)
            for (Index k = 0; k < task.u.extents[2]; ++k)
                sum += task.weights[0][i] * task.weights[1][j] * task.weights[2][k] *
                       static_cast<double>(task.u(i, j, k));
    *task.mean = static_cast<T>(sum / task.total);
}

template void launch_mean(const WeightedMean<float>&, Stream);
template void launch_mean(const WeightedMean<double>&, Stream);
template void launch_products(const Products<float>&, Stream);
template void launch_products(const Products<double>&, Stream);
template void launch_take(const AllFacePlanes<float>&, Stream);
template void launch_take(const AllFacePlanes<double>&, Stream);
template void launch_give(const AllFacePlanes<float>&, Stream);
template void launch_give(const AllFacePlanes<double>&, Stream);
template void launch_move_outside(const AllFacePlanes<float>&, Stream);
template void launch_move_outside(const AllFacePlanes<double>&, Stream);

}  // namespace poisson3d::walled
