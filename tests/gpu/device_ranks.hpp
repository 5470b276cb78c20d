// Ranks of MPI with a GPU each, and what each has of a box, for tests that mpirun starts.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "device_field.hpp"
#include "members.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/mpi.hpp"

namespace poisson3d::test {

/// What automatic takes, or what POISSON3D_TEST_WAY names.
inline Way way_under_test() {
    const char* const wanted = std::getenv("POISSON3D_TEST_WAY");
    if (wanted == nullptr) return Way::automatic;
    for (const Way way : {Way::copies, Way::stores, Way::nccl, Way::mpi, Way::staged})
        if (std::string(wanted) == name(way)) return way;
    throw Error(ErrorCode::usage, std::string("found POISSON3D_TEST_WAY=") + wanted + ", wanted a way of ranks");
}

inline int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// One member's f, u and faces in the memory of the current device, and a stream.
template <class T>
class OnDevice {
public:
    OnDevice(const Decomposition& parts, int member, const Field<T>& f, const BoundaryData<T>& data) {
        const Extents box = parts.box(member).points;
        f_ = std::make_unique<DeviceField<T>>(box_of(f, parts.box(member)));
        u_ = std::make_unique<DeviceField<T>>(box);
        from.push_back(f_->view());
        to.push_back(u_->view());
        streams.push_back(stream_.get());
        faces.push_back(data_of(parts, data)[static_cast<std::size_t>(member)]);
        for (int axis = 0; axis < 3; ++axis)
            for (FaceValues<T>& face : faces[0].faces[axis]) {
                if (face.data == nullptr || box[0] * box[1] * box[2] == 0) continue;
                const Index rows = box[axis == 0 ? 1 : 0], columns = box[axis == 2 ? 1 : 2];
                const auto bytes = static_cast<std::size_t>((rows - 1) * face.stride + columns) * sizeof(T);
                faces_.push_back(std::make_unique<DeviceBuffer>(bytes));
                copy_to_device(faces_.back()->data(), face.data, bytes);
                face.data = static_cast<const T*>(faces_.back()->data());
            }
    }
    [[nodiscard]] Field<T> solution() const { return u_->get(stream_.get()); }

    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    std::vector<BoundaryData<T>> faces;
    std::vector<Stream> streams;

private:
    DeviceStream stream_;
    std::unique_ptr<DeviceField<T>> f_, u_;
    std::vector<std::unique_ptr<DeviceBuffer>> faces_;
};

template <class T>
class DeviceRanks : public testing::Test {
protected:
    const int device_ = device_of_rank(MPI_COMM_WORLD);
    const DeviceScope scope_{device_};
    const Communicator all_ = mpi(MPI_COMM_WORLD, device_);
    const int me_ = rank_of_world();

    [[nodiscard]] Field<T> mine(const Decomposition& parts, const Field<T>& whole) const {
        return box_of(whole, parts.box(me_));
    }
    /// Of members, my part, solved twice: in a stream and in the default one.
    Field<T> solved(const Problem& problem, const Decomposition& parts, const Communicator& members,
                    const Field<T>& f, const BoundaryData<T>& data, Method method, Result& result,
                    Way way = way_under_test(), int chunks = 0) const {
        DistributedSolver<T> solver(problem, parts, members, {.method = method, .chunks = chunks, .way = way});
        OnDevice<T> there(parts, members.mine()[0], f, data);
        for (const auto& streams : {std::span<const Stream>(there.streams), std::span<const Stream>()}) {
            solver.solve(std::span(there.from), std::span(there.to), std::span(there.faces), T(-1.5), streams);
            result = solver.result();
        }
        return there.solution();
    }
    /// The whole box by one device.
    Field<T> solved_by_one_device(const Problem& problem, const Field<T>& f, const BoundaryData<T>& data,
                                  Result& result) const {
        Options options;
        options.engine = Engine::fused;
        options.device = device_;
        options.middle = Middle::transform;
        Solver<T> solver(problem, options);
        OnDevice<T> one(Decomposition::slabs(f.view().extents, 1), 0, f, data);
        solver.solve(one.from[0], one.to[0], one.faces[0], T(-1.5), one.streams[0]);
        result = solver.result(one.streams[0]);
        return one.solution();
    }
};
/// All the planes with the first rank but one for each other, of which one has none.
inline Decomposition uneven(const Extents& points, int ranks) {
    std::vector<Index> planes(static_cast<std::size_t>(ranks), 1);
    if (ranks > 2) planes[1] = 0;
    planes[0] = points[0];
    for (std::size_t m = 1; m < planes.size(); ++m) planes[0] -= planes[m];
    return Decomposition::slabs(points, planes);
}

}  // namespace poisson3d::test
