#include "copied_fields.hpp"

#include <cuda_runtime_api.h>

#include "cuda/check.hpp"
#include "field_checks.hpp"
#include "free_faces.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::device {

namespace {

/// Copies a field between host and device, plane by plane where there are gaps. Asynchronous as far as host memory
/// allows.
template <class T>
void copy_field(FieldView<const T> from, FieldView<T> to, cudaMemcpyKind kind, Stream stream) {
    const cudaStream_t queue = cuda::queue(stream);
    const auto row = static_cast<std::size_t>(from.extents[2]) * sizeof(T);
    const auto check = [](cudaError_t status) { cuda::check(status, "copy between host and device"); };
    if (from.dense() && to.dense()) {
        check(cudaMemcpyAsync(to.data, from.data, row * from.extents[0] * from.extents[1], kind, queue));
        return;
    }
    for (Index i = 0; i < from.extents[0]; ++i)
        check(cudaMemcpy2DAsync(to.data + i * to.strides[0], to.strides[1] * sizeof(T),
                                from.data + i * from.strides[0], from.strides[1] * sizeof(T), row, from.extents[1],
                                kind, queue));
}

}  // namespace

template <class T>
CopiedFields<T>::CopiedFields(const Problem& problem, const Pipeline<T>& pipeline, Memory memory, Index batch)
    : problem_(problem), pipeline_(pipeline), memory_(memory) {
    if (unbounded_axes(problem.grid) < 2) return;  // no pipeline finds values on the faces of one free axis
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (!is_free(problem.grid.axes[axis], side)) continue;
            const std::array<Index, 2> face = extents_of_face(problem.grid.points(), axis);
            free_faces_[axis][side].resize(static_cast<std::size_t>(batch * face[0] * face[1]));
        }
}

template <class T>
bool CopiedFields<T>::on_host(const Call<T>& call) const {
    const bool on_host = !on_device(call.u.data);
    if (on_host == on_device(call.f.data))
        throw Error(ErrorCode::usage, std::string("one field is in host memory, the other on the device: "
                                                  "found f on the ") +
                                          (on_host ? "device, u on the host" : "host, u on the device") +
                                          ", wanted both on one side");
    require_faces(call.boundary, on_host);
    if (on_host) require_room();
    return on_host;
}

template <class T>
Call<T> CopiedFields<T>::to_device(const Call<T>& call, Stream stream) const {
    Call<T> here = call.part(0, 1);
    here.f = pipeline_.staging();
    here.u = pipeline_.result_staging();
    copy_field<T>(call.f, pipeline_.staging(), cudaMemcpyHostToDevice, stream);
    here.boundary = faces_to_device(call.boundary, stream);
    return here;
}

template <class T>
void CopiedFields<T>::to_host(FieldView<const T> solution, FieldView<T> u, Stream stream) const {
    copy_field<T>(solution, u, cudaMemcpyDeviceToHost, stream);
    synchronize(stream);
}

template <class T>
void CopiedFields<T>::copy_again(const Call<T>& call, Stream stream) const {
    copy_field<T>(call.f, pipeline_.staging(), cudaMemcpyHostToDevice, stream);
}

template <class T>
void CopiedFields<T>::fetch_free_faces(Index field, Index from, Stream stream) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            std::vector<T>& all = free_faces_[axis][side];
            const T* const found = pipeline_.face_values(from, axis, side);
            if (all.empty() || found == nullptr) continue;
            const std::array<Index, 2> face = extents_of_face(problem_.grid.points(), axis);
            const Index count = face[0] * face[1];
            copy_to_host(all.data() + field * count, found, static_cast<std::size_t>(count) * sizeof(T), stream);
        }
}

template <class T>
BoundaryData<T> CopiedFields<T>::free_faces(const BoundaryData<T>& walls, Index fields, Stream stream) {
    for (Index field = 0; field < fields && !fetched_; ++field) fetch_free_faces(field, field, stream);
    fetched_ = true;
    BoundaryData<T> all = walls;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (!is_free(problem_.grid.axes[axis], side)) continue;
            const std::array<Index, 2> face = extents_of_face(problem_.grid.points(), axis);
            all.faces[axis][side] = {T(0), free_faces_[axis][side].data(), face[1], face[0] * face[1]};
        }
    return all;
}

/// Asked before anything of a call is begun or remembered.
template <class T>
void CopiedFields<T>::require_room() const {
    if (memory_ == Memory::fast && pipeline_.staging().data != nullptr) return;
    throw Error(ErrorCode::usage, std::string("fields in host memory want a plan with memory fast: in mode ") +
                                      name(memory_) + " u serves as scratch and must be in device memory");
}

template <class T>
void CopiedFields<T>::require_faces(const BoundaryTerms<T>& terms, bool on_host) const {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            if (const T* data = terms.face[axis][side].data; data != nullptr && on_device(data) == on_host)
                throw Error(ErrorCode::usage,
                            "boundary data of " + face_name(problem_.grid, axis, side) +
                                (on_host ? " is on the device and the fields are in host memory"
                                         : " is in host memory and the fields are on the device") +
                                ", wanted both on one side");
}

/// The same data with face arrays copied to the device.
template <class T>
BoundaryTerms<T> CopiedFields<T>::faces_to_device(BoundaryTerms<T> terms, Stream stream) const {
    T* room = pipeline_.face_staging();
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            FaceValues<T>& face = terms.face[axis][side];
            if (face.data == nullptr) continue;
            const auto [rows, columns] = extents_of_face(problem_.grid.points(), axis);
            const FieldView<const T> from(face.data, {1, rows, columns}, {0, face.stride, 1});
            const FieldView<T> to(room, from.extents);
            copy_field<T>(from, to, cudaMemcpyHostToDevice, stream);
            face.data = to.data;
            face.stride = to.strides[1];
            room += to.size();
        }
    return terms;
}

template class CopiedFields<float>;
template class CopiedFields<double>;

}  // namespace poisson3d::device
