#include "communicator.hpp"

#include <vector>

#include "error_guard.hpp"

using namespace poisson3d::c;

int poisson3d_guarded(const std::function<void()>& body) {
    return guarded(body);
}

int poisson3d_communicator_make(const std::function<poisson3d::Communicator()>& make,
                                poisson3d_communicator** communicator) {
    return guarded([&] {
        require_pointer(communicator, "communicator");
        *communicator = nullptr;
        *communicator = new poisson3d_communicator(make());
    });
}

int poisson3d_communicator_threads(int members, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make([&] { return poisson3d::threads(members); }, communicator);
}

int poisson3d_communicator_devices(const int* numbers, int members, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make(
        [&] {
            if (members > 0) require_pointer(numbers, "numbers");
            return poisson3d::devices(std::vector<int>(numbers, numbers + (members > 0 ? members : 0)));
        },
        communicator);
}

void poisson3d_communicator_destroy(poisson3d_communicator* communicator) {
    delete communicator;
}

int poisson3d_communicator_get_members(const poisson3d_communicator* communicator, int* members, int* first,
                                       int* mine) {
    return guarded([&] {
        const poisson3d::Communicator& all = checked(communicator, "communicator").members;
        if (members != nullptr) *members = all.size();
        if (first != nullptr) *first = all.mine().front();
        if (mine != nullptr) *mine = static_cast<int>(all.mine().size());
    });
}

int poisson3d_communicator_refuse(const poisson3d_communicator* communicator, int status) {
    return guarded([&] { checked(communicator, "communicator").members.refuse(read_failure(status)); });
}
