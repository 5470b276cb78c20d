#include "common/checks.hpp"

#include <algorithm>
#include <cstdint>

namespace poisson3d {

void refuse(const char* who, const std::string& found_and_wanted, ErrorCode code) {
    throw Error(code, std::string(who) + ": " + found_and_wanted);
}

std::string list(const std::array<Index, 3>& values) {
    std::string text;
    for (const Index value : values) text += (text.empty() ? "(" : ", ") + std::to_string(value);
    return text + ")";
}

void validate(const Permutation& permutation) {
    Permutation sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != identity_order)
        refuse("transpose", "found the permutation " + list({permutation[0], permutation[1], permutation[2]}) +
                                ", wanted an order of 0, 1 and 2");
}

void require_extents(const char* who, const Extents& extents, Index batch) {
    for (const Index extent : extents)
        if (extent <= 0) refuse(who, "found extents " + list(extents) + ", wanted 1 or more in each");
    if (batch <= 0) refuse(who, "found a batch of " + std::to_string(batch) + ", wanted 1 or more");
}

void require_threads(const char* who, int threads) {
    if (threads < 0) refuse(who, "found " + std::to_string(threads) + " threads, wanted 1 or more, or 0 for all");
}

void require_band(const char* who, Index band) {
    if (band < 0)
        refuse(who, "found a band of " + std::to_string(band) + " tiles, wanted 1 or more, or 0 for a choice");
}

void require_pointer(const char* who, const void* pointer, int bytes, const char* units) {
    if (pointer == nullptr) refuse(who, "found a null pointer");
    if (reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(bytes) != 0)
        refuse(who, std::string("found a pointer that is not aligned to its ") + units + " of " +
                        std::to_string(bytes) + " bytes");
}

}  // namespace poisson3d
