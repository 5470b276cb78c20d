// What measurements by ranks of MPI share.
#pragma once

#include <mpi.h>

#include <chrono>
#include <thread>

inline int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// For all ranks, without taking processors from those that still work, as a barrier does.
inline void wait_asleep() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int there = 0; there == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        MPI_Test(&request, &there, MPI_STATUS_IGNORE);
}
