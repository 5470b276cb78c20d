// Eliminated lines that are rows of a field go through shared memory, by words of 16 bytes where there are whole
// ones. Both ways give the same numbers to the last bit, and those of columns; nothing else is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "elimination_pass.hpp"
#include "team_on_host.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
std::vector<T> random_numbers(int count, double least, double most, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(least, most);
    std::vector<T> numbers(static_cast<std::size_t>(count));
    for (T& each : numbers) each = static_cast<T>(number(random));
    return numbers;
}

/// Lines beside a free end, `slow` times `across` of them.
template <class T>
struct Lines {
    static constexpr int vector = vector_nodes<T>;
    int nodes, slow, across;
    bool multiply, even = false;
    std::vector<T> links = random_numbers<T>(nodes + 1, 0.5, 2, 1), volumes = random_numbers<T>(nodes, 0.5, 2, 2),
                   lambda_slow = random_numbers<T>(slow, -2, -0.5, 3),
                   lambda_lanes = random_numbers<T>(across, -2, -0.5, 4),
                   field = random_numbers<T>(slow * across * nodes, -1, 1, 5), sectioned = {};

    /// All links but the first and the last become equal, and all volumes.
    void make_even() {
        std::fill(links.begin(), links.end(), T(1.25));
        std::fill(volumes.begin(), volumes.end(), T(0.75));
    }

    /// The field once it is eliminated; of rows `spare` numbers stand behind each, and `shift` before the first.
    std::vector<T> run(LineShape shape, bool by_vectors, int spare, int shift) {
        const bool rows = shape == LineShape::rows;
        EliminationTask<T> task;
        links.front() = links.back() = T(0);
        task.chain.nodes = nodes;
        task.chain.links = links.data();
        task.chain.volumes = volumes.data();
        task.chain.beyond[0].half_step = T(0.4);
        task.shape = shape;
        task.sections = (nodes + section_nodes - 1) / section_nodes;
        task.even = even;
        task.first_link = links[0];
        task.link = links[nodes > 1 ? 1 : 0];
        task.volume = volumes[0];
        task.section_threads = rows ? (task.sections + row_group - 1) / row_group * row_group : task.sections;
        while (2 * task.threads() <= 256) ++task.line_shift;
        set_sections(task);
        task.slow_count = slow;
        task.lines = across;
        task.lambda_slow = lambda_slow.data();
        task.lambda_lanes = lambda_lanes.data();
        task.factor = T(1.5);
        task.multiply = multiply;
        const Index pitch = (rows ? nodes : across) + spare;
        task.sample = rows ? 1 : pitch;
        task.line = rows ? pitch : 1;
        task.slow = pitch * (rows ? across : nodes);
        const T untouched(7.25);
        std::vector<T> memory(static_cast<std::size_t>(task.slow * slow + shift + 2 * vector), untouched);
        while (reinterpret_cast<std::uintptr_t>(memory.data() + shift) % 16 != (by_vectors ? 0 : sizeof(T)))
            if (++shift > 2 * vector) return {};
        task.data = memory.data() + shift;
        task.vectors = holds_vectors(task);
        EXPECT_EQ(task.vectors, rows && by_vectors);
        for_each(task, [](T& here, T& mine) { here = mine; });
        eliminate(task);
        std::vector<T> result = field;
        result.swap(field);
        for_each(task, [&](T& here, T& mine) { mine = here, here = untouched; });
        result.swap(field);
        for (const T each : memory) EXPECT_EQ(each, untouched) << "written beside the lines";
        return result;
    }

private:
    void set_sections(EliminationTask<T>& task) {
        const int size = task.sections * section_nodes;
        sectioned.assign(static_cast<std::size_t>(2 * size), T(0));
        for (int j = 0; j < size; ++j) {
            const int at = (j % section_nodes / vector * task.sections + j / section_nodes) * vector + j % vector;
            if (j >= nodes) continue;
            sectioned[static_cast<std::size_t>(at)] = links[static_cast<std::size_t>(j)];
            sectioned[static_cast<std::size_t>(at + size)] = volumes[static_cast<std::size_t>(j)];
        }
        task.sectioned = sectioned.data();
    }
    template <class Body>
    void for_each(const EliminationTask<T>& task, const Body& body) {
        std::size_t number = 0;
        for (int s = 0; s < slow; ++s)
            for (int l = 0; l < across; ++l)
                for (int j = 0; j < nodes; ++j)
                    body(task.data[s * task.slow + l * task.line + j * task.sample], field[number++]);
    }
    void eliminate(const EliminationTask<T>& task) {
        std::vector<T> shared(static_cast<std::size_t>(elimination_elements(task)) + 1);
        with_elimination(task, [&]<LineShape shape, EliminationWork work, bool is_even>() {
            TeamOnHost<T, shape> turns(task);
            for (Index s = 0; s < slow; ++s)
                for (Index line = 0; line < across; line += task.block_lines()) {
                    std::fill(shared.begin(), shared.end(), std::numeric_limits<T>::quiet_NaN());
                    shared.back() = T(42);
                    eliminate_block<shape, work, is_even>(task, {0, s, line}, shared.data(), turns);
                    EXPECT_EQ(shared.back(), T(42)) << "beyond shared memory";
                }
        });
    }
};

template <class T>
void compare() {
    constexpr int vector = vector_nodes<T>;
    for (const int nodes : {1, 2, 3, 4, 7, 8, 9, 16, 20, 33, 64, 100, 127, 128, 129, 256, 300, 512, 1000, 1028})
        for (const int across : {1, 9})
            for (const bool multiply : {false, true}) {
                SCOPED_TRACE(std::to_string(nodes) + " nodes, " + std::to_string(across) + " lines, " +
                             std::to_string(sizeof(T)) + " bytes" + (multiply ? ", multiplied" : ""));
                Lines<T> lines{nodes, 2, across, multiply};
                const std::vector<T> columns = lines.run(LineShape::columns, false, 1, 0);
                for (const T each : columns) ASSERT_TRUE(std::isfinite(each));
                const std::vector<T> rows = lines.run(LineShape::rows, false, 1, 1);
                if (nodes % vector == 0) {
                    EXPECT_EQ(lines.run(LineShape::rows, true, vector, 0), rows);
                }
                EXPECT_EQ(rows, columns);
                if (sizeof(T) == 8) {
                    EXPECT_EQ(lines.run(LineShape::long_columns, false, 1, 0), columns);
                }
                if (multiply) continue;
                lines.make_even();
                const std::vector<T> by_tables = lines.run(LineShape::columns, false, 1, 0);
                lines.even = true;
                EXPECT_EQ(lines.run(LineShape::columns, false, 1, 0), by_tables);
                EXPECT_EQ(lines.run(LineShape::rows, false, 1, 1), by_tables);
                if (sizeof(T) == 8) {
                    EXPECT_EQ(lines.run(LineShape::long_columns, false, 1, 0), by_tables);
                }
            }
}

}  // namespace

TEST(EliminatedRows, AreSolvedAsColumnsAre) {
    compare<double>();
    compare<float>();
}

/// Half a warp, or a quarter, of those who read or write at once meets in no bank of shared memory.
template <class T>
void expect_no_conflicts() {
    constexpr int nodes = section_nodes, vector = vector_nodes<T>, words = static_cast<int>(sizeof(T)) / 4;
    const auto expect_apart = [](const std::vector<int>& numbers, int together) {
        std::vector<int> met(32, 0);
        for (const int number : numbers)
            for (int w = 0; w < words * together; ++w) ++met[static_cast<std::size_t>((number * words + w) % 32)];
        for (const int times : met) EXPECT_LE(times, 1);
    };
    for (int first = 0; first < 128; first += row_group)
        for (int i = 0; i < nodes; i += vector) {
            std::vector<int> sections, row;
            for (int lane = 0; lane < row_group; ++lane) {
                sections.push_back(staged_number<T>(first + lane, i));
                const int j = i * row_group + lane * vector;
                row.push_back(staged_number<T>(first + j / nodes, j % nodes));
            }
            expect_apart(sections, vector);
            expect_apart(row, vector);
        }
    for (int first = 0; first < 128; first += 32 / words)
        for (int i = 0; i < nodes; ++i) {
            std::vector<int> row;
            for (int thread = first; thread < first + 32 / words; ++thread) {
                const int j = i * row_group + thread % row_group;
                row.push_back(staged_number<T>(thread / row_group * row_group + j / nodes, j % nodes));
            }
            expect_apart(row, 1);
        }
}

TEST(EliminatedRows, MeetInNoBank) {
    expect_no_conflicts<double>();
    expect_no_conflicts<float>();
}

}  // namespace poisson3d::fused
