// Fields, and data of faces, between host and device memory around a run of a pipeline.
#pragma once

#include <array>
#include <vector>

#include "pipeline.hpp"

namespace poisson3d::device {

template <class T>
class CopiedFields {
public:
    CopiedFields(const Problem& problem, const Pipeline<T>& pipeline, Memory memory, Index batch);

    /// Whether the fields of a call are in host memory. Throws Error{usage} where a field or data of a face is on
    /// the other side, or where there is no room for copies.
    [[nodiscard]] bool on_host(const Call<T>& call) const;

    /// The call on a copy of its first field, in the room of the pipeline. Asynchronous as far as host memory
    /// allows.
    [[nodiscard]] Call<T> to_device(const Call<T>& call, Stream stream) const;
    /// f once more, where the pipeline reads it twice.
    void copy_again(const Call<T>& call, Stream stream) const;
    /// The solution back into the fields of the caller. Waits for the stream.
    void to_host(FieldView<const T> solution, FieldView<T> u, Stream stream) const;

    /// What the pipeline found on the free faces of a field, `from` of its last call, is kept as that of `field`,
    /// if it finds something. Waits for the stream.
    void fetch_free_faces(Index field, Index from, Stream stream);
    /// Whether those of the last call are kept; else free_faces() fetches them.
    void have_free_faces(bool kept) { fetched_ = kept; }
    /// `walls`, and what the last call found on the free faces of its `fields`: of each face their arrays, one
    /// after the other. Waits for the stream.
    BoundaryData<T> free_faces(const BoundaryData<T>& walls, Index fields, Stream stream);

private:
    void require_room() const;
    void require_faces(const BoundaryTerms<T>& terms, bool on_host) const;
    [[nodiscard]] BoundaryTerms<T> faces_to_device(BoundaryTerms<T> terms, Stream stream) const;

    const Problem& problem_;
    const Pipeline<T>& pipeline_;
    Memory memory_;
    std::array<std::array<std::vector<T>, 2>, 3> free_faces_;
    bool fetched_ = true;
};

}  // namespace poisson3d::device
