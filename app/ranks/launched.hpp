// What those that start several ranks tell each of them in its environment.
#pragma once

#include <cstdlib>
#include <initializer_list>

namespace poisson3d::app {

/// The first of the variables that is a number; `otherwise` if none is.
inline int number_in_environment(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names)
        if (const char* const text = std::getenv(name); text != nullptr && *text != '\0') return std::atoi(text);
    return otherwise;
}

/// Open MPI, Hydra (MPICH, Intel), Slurm.
inline int launched_ranks() {
    return number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 1);
}
inline int launched_rank() {
    return number_in_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0);
}

}  // namespace poisson3d::app
