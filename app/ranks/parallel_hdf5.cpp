#include "ranks/parallel_hdf5.hpp"

#include <hdf5.h>

#include <array>
#include <utility>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

/// Closed in the order in which they are made, backwards.
class Handle {
public:
    Handle(hid_t id, herr_t (*closes)(hid_t)) : id_(id), close_(closes) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] hid_t get() const noexcept { return id_; }
    [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }
    herr_t close() { return close_(std::exchange(id_, -1)); }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// HDF5 says what fails by its answers alone.
class Silent {
public:
    Silent() {
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Silent() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
    Silent(const Silent&) = delete;
    Silent& operator=(const Silent&) = delete;

private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

class Collective {
public:
    Collective(MPI_Comm ranks, const SharedPlanes& planes, bool writes)
        : ranks_(ranks), planes_(planes), writes_(writes) {}

    void run() const {
        const Silent silent;
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        require(access.valid() && H5Pset_fapl_mpio(access.get(), ranks_, MPI_INFO_NULL) >= 0,
                "be opened by all ranks");
        Handle file(H5Fopen(planes_.file.c_str(), writes_ ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get()), H5Fclose);
        require(file.valid(), "be opened by all ranks");
        Handle dataset(H5Dopen2(file.get(), planes_.dataset.c_str(), H5P_DEFAULT), H5Dclose);
        require(dataset.valid(), "be opened by all ranks");
        const Handle there(H5Dget_space(dataset.get()), H5Sclose), here = mine();
        require(
            there.valid() && here.valid() && select(there.get()) && (!empty() || H5Sselect_none(here.get()) >= 0),
            "be shared by the ranks");
        const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
        require(transfer.valid() && H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE) >= 0,
                "be shared by the ranks");
        double nothing = 0.0;
        void* const data = empty() ? &nothing : planes_.data;
        const hid_t type = planes_.in_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
        const herr_t done = writes_ ? H5Dwrite(dataset.get(), type, here.get(), there.get(), transfer.get(), data)
                                    : H5Dread(dataset.get(), type, here.get(), there.get(), transfer.get(), data);
        require(done >= 0, writes_ ? "be written" : "be read");
        const bool closed = dataset.close() >= 0 && file.close() >= 0;
        require(closed, writes_ ? "be written" : "be read");
    }

private:
    /// What fails on one rank ends the call on all, so that none waits for it in the next step.
    void require(bool here, const char* what) const {
        int all = here ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, ranks_);
        if (all == 0)
            throw Error(
                writes_ ? ErrorCode::output : ErrorCode::file,
                planes_.file + ", dataset " + planes_.dataset + ": cannot " + what + " with the parallel HDF5");
    }

    [[nodiscard]] bool empty() const { return planes_.points[0] == 0; }
    [[nodiscard]] std::array<hsize_t, 3> count() const {
        std::array<hsize_t, 3> numbers{};
        for (std::size_t a = 0; a < 3; ++a) numbers[a] = static_cast<hsize_t>(planes_.points[a]);
        return numbers;
    }
    [[nodiscard]] Handle mine() const {
        const std::array<hsize_t, 3> one{1, 1, 1};  // of no planes none of it
        return {H5Screate_simple(3, empty() ? one.data() : count().data(), nullptr), H5Sclose};
    }
    [[nodiscard]] bool select(hid_t space) const {
        if (H5Sget_simple_extent_ndims(space) != 3) return false;
        if (empty()) return H5Sselect_none(space) >= 0;
        const std::array<hsize_t, 3> first{static_cast<hsize_t>(planes_.first), 0, 0};
        return H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count().data(), nullptr) >= 0;
    }

    MPI_Comm ranks_;
    const SharedPlanes& planes_;
    bool writes_;
};

}  // namespace

bool has_parallel_hdf5() noexcept {
    return true;
}
void read_collectively(MPI_Comm ranks, const SharedPlanes& planes) {
    Collective(ranks, planes, false).run();
}
void write_collectively(MPI_Comm ranks, const SharedPlanes& planes) {
    Collective(ranks, planes, true).run();
}

}  // namespace poisson3d::app
