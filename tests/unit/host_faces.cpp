// What is done with faces on a GPU, on the host by plain loops.
#include "face_planes.hpp"
#include "face_products.hpp"

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

}  // namespace poisson3d::walled
