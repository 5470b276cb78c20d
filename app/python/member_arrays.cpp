#include "member_arrays.hpp"

#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace nb = nanobind;

namespace {

void require_count(std::size_t found, std::size_t wanted, const char* name) {
    if (found != wanted)
        throw Error(ErrorCode::usage, std::string(name) + ": found " + std::to_string(found) +
                                          " arrays, wanted one for each of " + std::to_string(wanted) + " members");
}

std::string numbered(const char* name, std::size_t member, std::size_t members) {
    return members == 1 ? name : name + ("[" + std::to_string(member) + "]");
}

/// Where the fields of a call are: with the members, or all in host memory. An array that does not tell its device
/// is taken to be with its member.
std::optional<int> settle(Array& array, const MemberPlace& member, bool to_be_copied) {
    const std::optional<int> wanted = to_be_copied ? std::nullopt : member.device;
    if (array.device == Array::any_device && wanted) array.device = wanted;
    if (array.device != wanted) {
        if (!member.device)
            throw Error(ErrorCode::unsupported,
                        array.name + ": found in " +
                            memory_name(array.device == Array::any_device ? 0 : array.device) + ", wanted in " +
                            memory_name(wanted) + ", where members solve");
        throw Error(ErrorCode::usage,
                    array.name + ": found in " + memory_name(array.device) + ", wanted in " + memory_name(wanted) +
                        (to_be_copied ? ", as the first array is" : ", where this member solves"));
    }
    return wanted;
}

void require_dense(bool to_be_copied, const Array& array) {
    Index stride = 1;
    for (int a = array.axes - 1; to_be_copied && a >= 0; --a) {
        if (array.shape[static_cast<std::size_t>(a)] > 1 && array.strides[static_cast<std::size_t>(a)] != stride)
            throw Error(ErrorCode::usage,
                        array.name + ": found gaps between rows, wanted none in an array that is copied to a GPU");
        stride *= array.shape[static_cast<std::size_t>(a)];
    }
}

/// Elements from the first to the last one of a face's array, those of all fields.
template <class T>
std::size_t span_of(const FaceValues<T>& face, const Extents& points, int axis, Index fields) {
    const auto [rows, columns] = extents_of_face(points, axis);
    if (rows == 0 || columns == 0) return 0;
    const Index one = (rows - 1) * face.stride + columns;
    return static_cast<std::size_t>(one + (fields - 1) * face.field_stride);
}

template <class T>
std::size_t elements_of(const FieldBatch<T>& batch) {
    return static_cast<std::size_t>(batch.first.size() * batch.count);
}

}  // namespace

template <class T>
MemberArrays<T> read_member_arrays(const nb::list& f, const nb::list& u, const nb::list& boundaries,
                                   const std::vector<MemberPlace>& members, const std::array<char, 3>& labels,
                                   Index most_fields, bool gradients, const nb::list& source) {
    MemberArrays<T> call;
    const char* const read = gradients ? "u" : "f";
    require_count(f.size(), members.size(), read);
    require_count(u.size(), members.size(), "out");
    if (boundaries.size() > 0) require_count(boundaries.size(), members.size(), "boundary_values");
    if (source.size() > 0) require_count(source.size(), members.size(), "f");
    Grid here;
    here.labels = labels;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const Extents& points = members[m].points;
        Array from = read_array(f[m], numbered(read, m, members.size()));
        if (m == 0) call.to_be_copied = members[0].device && !from.device;
        Array to = u[m].is(f[m]) ? from : read_array(u[m], "out");  // a DLPack capsule can be taken over once only
        to.name = numbered("out", m, members.size());
        const std::optional<int> device = settle(from, members[m], call.to_be_copied);
        settle(to, members[m], call.to_be_copied);
        call.from.push_back(view_fields<const T>(from, points));
        const Index fields = call.from[m].count;
        if (gradients) {
            call.gradients.push_back(view_gradients<T>(to, points, from.axes == 4 ? fields : 0));
        } else {
            require_shape(to, from.shape.data(), from.axes);
            call.to.push_back(view_fields<T>(to, points));
        }
        if (fields < 1 || fields > most_fields)
            throw Error(ErrorCode::usage, from.name + ": found a batch of " + std::to_string(fields) +
                                              ", wanted from 1 to " + std::to_string(most_fields) +
                                              ", the batch this solver was planned for");
        require_dense(call.to_be_copied, from), require_dense(call.to_be_copied, to);
        for (std::size_t a = 0; a < 3; ++a) here.axes[a].points = points[a];
        std::optional<Array> with;
        if (source.size() > 0) {
            with = read_array(source[m], numbered("f", m, members.size()));
            settle(*with, members[m], call.to_be_copied);
            require_shape(*with, from.shape.data(), from.axes);
            call.source.push_back(view_fields<const T>(*with, points));
            require_dense(call.to_be_copied, *with);
        }
        call.arrays.push_back({std::move(from), std::move(to)});
        if (with) call.arrays[m].push_back(std::move(*with));
        if (boundaries.size() == 0) continue;
        ReadBoundary<T> boundary = read_boundary<T>(boundaries[m], here, fields, device);
        call.boundary.push_back(boundary.data);
        for (Array& array : boundary.arrays) call.arrays[m].push_back(std::move(array));
    }
    return call;
}

template <class T>
T* DeviceCopies<T>::place(std::size_t member, int part, std::size_t elements) {
    DeviceBuffer& buffer = buffers_[{member, part}];
    const std::size_t bytes = std::max<std::size_t>(1, elements) * sizeof(T);
    if (buffer.size() < bytes) buffer = DeviceBuffer(), buffer = DeviceBuffer(bytes);
    return static_cast<T*>(buffer.data());
}

template <class T>
void DeviceCopies<T>::bring(MemberArrays<T>& call, const std::vector<MemberPlace>& members,
                            std::span<const Stream> streams) {
    for (std::size_t m = 0; m < members.size(); ++m) {
        const DeviceScope scope(*members[m].device);
        FieldBatch<const T>& from = call.from[m];
        const std::size_t elements = elements_of(from);
        T* const there = place(m, -1, elements);
        copy_to_device(there, from.first.data, elements * sizeof(T), streams[m]);
        const FieldBatch<T> copied(there, members[m].points, from.count);
        if (call.gradients.empty()) {
            call.to[m] = copied;
        } else {
            T* component = place(m, 6, 3 * elements);
            for (auto& gradient : call.gradients[m])
                for (FieldView<T>& view : gradient) {
                    view = {component, members[m].points};
                    component += view.size();
                }
        }
        from = copied;
        if (!call.source.empty()) {
            T* const source = place(m, 7, elements);
            copy_to_device(source, call.source[m].first.data, elements * sizeof(T), streams[m]);
            call.source[m] = FieldBatch<T>(source, members[m].points, from.count);
        }
        for (int face = 0; face < 6 && m < call.boundary.size(); ++face) {
            FaceValues<T>& values = call.boundary[m].faces[static_cast<std::size_t>(face / 2)][face % 2];
            if (values.data == nullptr) continue;
            const std::size_t span = span_of(values, members[m].points, face / 2, from.count);
            T* const copy = place(m, face, span);
            copy_to_device(copy, values.data, span * sizeof(T), streams[m]);
            values.data = copy;
        }
    }
}

template <class T>
void DeviceCopies<T>::take(const MemberArrays<T>& call, const std::vector<MemberPlace>& members,
                           std::span<const Stream> streams) {
    for (std::size_t m = 0; m < members.size(); ++m) {
        const DeviceScope scope(*members[m].device);
        if (call.gradients.empty())
            copy_to_host(call.arrays[m][1].data, call.to[m].first.data, elements_of(call.to[m]) * sizeof(T),
                         streams[m]);
        else
            copy_to_host(call.arrays[m][1].data, call.gradients[m][0][0].data,
                         3 * elements_of(call.from[m]) * sizeof(T), streams[m]);
    }
}

template MemberArrays<float> read_member_arrays(const nb::list&, const nb::list&, const nb::list&,
                                                const std::vector<MemberPlace>&, const std::array<char, 3>&, Index,
                                                bool, const nb::list&);
template MemberArrays<double> read_member_arrays(const nb::list&, const nb::list&, const nb::list&,
                                                 const std::vector<MemberPlace>&, const std::array<char, 3>&, Index,
                                                 bool, const nb::list&);
template class DeviceCopies<float>;
template class DeviceCopies<double>;

}  // namespace poisson3d::python
