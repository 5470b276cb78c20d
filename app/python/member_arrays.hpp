// The arrays of a call of several members: of each one to read, one to write, and those of the faces that its part
// touches. Members on devices also take arrays in host memory, all or none: these are copied to their devices and
// back.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "array.hpp"
#include "boundary.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d::python {

/// A member: its points, and the GPU that has its fields (none: host memory).
struct MemberPlace {
    Extents points{};
    std::optional<int> device;
};

template <class T>
struct MemberArrays {
    std::vector<std::vector<Array>> arrays;  ///< of each member: read, written, the source if any, those of faces
    std::vector<FieldBatch<const T>> from;
    std::vector<FieldBatch<const T>> source;                          ///< what u was solved from, or none
    std::vector<FieldBatch<T>> to;                                    ///< none where gradients are written
    std::vector<std::vector<std::array<FieldView<T>, 3>>> gradients;  ///< of each member, of each field
    std::vector<BoundaryData<T>> boundary;                            ///< none, or one for each member
    bool to_be_copied = false;  ///< members are on devices, the arrays in host memory
};

/// Reads lists of as many as there are members; `boundaries` may be empty, or have a dictionary or None of each.
/// `labels`: of the axes, for the names of faces; `gradients`: arrays of `u` have three components, and `source`
/// may have arrays like those of `f`. Throws Error{usage} naming the argument and, of several members, its number.
template <class T>
MemberArrays<T> read_member_arrays(const nanobind::list& f, const nanobind::list& u,
                                   const nanobind::list& boundaries, const std::vector<MemberPlace>& members,
                                   const std::array<char, 3>& labels, Index most_fields, bool gradients = false,
                                   const nanobind::list& source = {});

/// Memory on devices in the place of arrays in host memory, kept from call to call.
template <class T>
class DeviceCopies {
public:
    /// Copies what is read there, and lets all views show there: u is f, gradients are apart. Blocks.
    void bring(MemberArrays<T>& call, const std::vector<MemberPlace>& members, std::span<const Stream> streams);
    /// Copies what was written back to the arrays of the call. Blocks.
    void take(const MemberArrays<T>& call, const std::vector<MemberPlace>& members,
              std::span<const Stream> streams);

private:
    T* place(std::size_t member, int part, std::size_t elements);
    std::map<std::pair<std::size_t, int>, DeviceBuffer>
        buffers_;  ///< of each member: field −1, faces 0 to 5, gradients 6, source 7
};

}  // namespace poisson3d::python
