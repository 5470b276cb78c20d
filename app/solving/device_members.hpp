// Members on GPUs of this process, each with its slab or pencil, which come from files and go there through two
// page-locked slabs of planes. The host holds some planes of the solution more where it is verified, compared,
// drawn or differentiated.
#pragma once

#include <algorithm>

#include "solving/device_parts.hpp"
#include "solving/member_backend.hpp"

namespace poisson3d::app {

template <class T>
class DeviceMembers final : public MemberBackend<T, DeviceParts> {
    using Base = MemberBackend<T, DeviceParts>;
    using Base::asked, Base::planes, Base::work;

public:
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    /// GPUs are there. Fields come before the plan, whose memory is then asked for last. A first solve, of zeros,
    /// loads kernels, which is no part of a solve.
    DeviceMembers(Ranks& all, const SolveTask& solve, const BoundaryData<T>& boundary)
        : DeviceMembers(all, solve, Base::member_task(all, solve), boundary) {}

    void read(const Fill& fill) override {
        Base::begin();
        work().part().upload(asked().read_planes, fill);
    }

    void write(const Take& take) override { work().part().download(0, planes(), asked().write_planes, take); }

protected:
    void fetch_solution(Index first, FieldView<T> into) override { fetch(work().part(), first, into); }
    void fetch_operator(Index first, FieldView<double> into) override {
        fetch(work().operator_part(), first, into);
    }

private:
    DeviceMembers(Ranks& all, const SolveTask& solve, const MemberTask& task, const BoundaryData<T>& boundary)
        : Base(
              all, solve, task, boundary, true, [&] { return devices(solve.devices); },
              [&](const Communicator&) { return place_of(solve, task); }) {
        work().part().clear();
        work().solve(T(1));
    }

    static DevicePlace place_of(const SolveTask& solve, const MemberTask& task) {
        const bool widens = solve.apply && sizeof(T) < sizeof(double);
        return {task.parts(), solve.devices, std::max(solve.read_planes, solve.write_planes), widens};
    }

    template <class Value>
    void fetch(const DeviceParts<Value>& parts, Index first, FieldView<Value> into) const {
        parts.download(first, into.extents[0], std::min(asked().read_planes, asked().write_planes),
                       [&](Index from, FieldView<const Value> slab) {
                           std::copy_n(slab.data, slab.size(), into.slab(from - first, slab.extents[0]).data);
                       });
    }
};

}  // namespace poisson3d::app
