// How members share the box, as an option says it: automatic, slabs, pencils, or rows and columns, 4x2.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "command_line/spec.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d::app {

struct MemberGrid {
    std::string word = "automatic";
    std::array<int, 2> shape{};  ///< rows and columns; 0: by the word

    /// 0: as many as there are.
    [[nodiscard]] int members() const noexcept { return shape[0] * shape[1]; }

    /// Throws Error{usage} if the members are others than those of the rows and columns.
    [[nodiscard]] Decomposition decomposition(const Extents& points, int count) const {
        if (word == "automatic") return Decomposition::automatic(points, count);
        if (word == "slabs") return Decomposition::slabs(points, count);
        if (word == "pencils") return Decomposition::pencils(points, count);
        if (members() != count)
            throw Error(ErrorCode::usage, "--decomposition: found " + word + ", which is for " +
                                              std::to_string(members()) + " members, but there are " +
                                              std::to_string(count));
        return Decomposition::pencils(points, shape);
    }
};

inline MemberGrid parse_member_grid(const std::string& option, const std::string& text) {
    MemberGrid grid;
    grid.word = text;
    if (text == "automatic" || text == "slabs" || text == "pencils") return grid;
    const std::vector<std::string> numbers = split(text, 'x');
    constexpr Index most = 30000;  // whose product is an int
    for (std::size_t a = 0; numbers.size() == 2 && a < 2; ++a) {
        const Index number = parse_integer(option, numbers[a], 1);
        if (number <= most) grid.shape[a] = static_cast<int>(number);
    }
    if (grid.members() == 0)
        throw Error(ErrorCode::usage, option + ": found '" + text +
                                          "', wanted automatic, slabs, pencils or rows and columns such as 4x2");
    return grid;
}

}  // namespace poisson3d::app
