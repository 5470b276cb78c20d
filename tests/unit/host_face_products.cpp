// What is done with faces on a GPU, on the host by plain loops.
#include "face_products.hpp"

namespace poisson3d::walled {

template <class T>
void launch_product(const Product<T>& p, Stream) {
    for (Index i = 0; i < p.rows; ++i)
        for (Index j = 0; j < p.columns; ++j) {
            T sum = T(0);
            for (Index k = 0; k < p.inner; ++k)
                sum += p.a.data[i * p.a.row + k * p.a.column] * p.b.data[k * p.b.row + j * p.b.column];
            T& out = p.out.data[i * p.out.row + j * p.out.column];
            out = p.add ? out + sum : sum;
        }
}

template <class T>
void launch_times(const T* table, T* data, Index count, Stream) {
    for (Index i = 0; i < count; ++i) data[i] *= table[i];
}

template <class T>
void launch_parts(const FaceParts<T>& p, Stream) {
    for (Index i = 0; i < p.rows; ++i)
        for (Index j = 0; j < p.columns; ++j) {
            const T lower = p.face[0] != nullptr ? p.face[0][i * p.row + j * p.column] : T(0);
            const T upper = p.face[1] != nullptr ? p.face[1][i * p.row + j * p.column] : T(0);
            const Index at = i * p.columns + j;
            p.part[0][at] = lower + upper;
            p.value[0][at] = p.times * (lower + upper);
            if (p.face[0] == nullptr || p.face[1] == nullptr) continue;
            p.part[1][at] = lower - upper;
            p.value[1][at] = p.times * (lower - upper);
        }
}

template <class T>
void launch_faces(const FacesOfParts<T>& p, Stream) {
    for (Index i = 0; i < p.rows; ++i)
        for (Index j = 0; j < p.columns; ++j) {
            const Index at = i * p.columns + j, to = i * p.row + j;
            if (p.face[0] == nullptr || p.face[1] == nullptr) {
                p.face[p.face[0] != nullptr ? 0 : 1][to] = p.value[0][at];
                continue;
            }
            p.face[0][to] = (p.value[0][at] + p.value[1][at]) / 2;
            p.face[1][to] = (p.value[0][at] - p.value[1][at]) / 2;
        }
}

template void launch_product(const Product<float>&, Stream);
template void launch_product(const Product<double>&, Stream);
template void launch_times(const float*, float*, Index, Stream);
template void launch_times(const double*, double*, Index, Stream);
template void launch_parts(const FaceParts<float>&, Stream);
template void launch_parts(const FaceParts<double>&, Stream);
template void launch_faces(const FacesOfParts<float>&, Stream);
template void launch_faces(const FacesOfParts<double>&, Stream);

}  // namespace poisson3d::walled
