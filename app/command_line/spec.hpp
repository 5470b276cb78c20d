// The small language of options that speak about axes: one word for all, three in index order, or x=…,y=….
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

using Faces = std::array<Boundary, 2>;  ///< lower, upper
/// The faces of an axis, with α and β of Robin ones where they were said.
struct Walls {
    Faces faces{};
    std::array<std::optional<Robin>, 2> robin{};
};

/// "a,b,c" as words, which may be empty; at least one.
std::vector<std::string> split(const std::string& text, char separator);

/// parse(option, word) of every word between commas.
template <class Parse>
auto parse_list(const std::string& option, const std::string& list, const Parse& parse) {
    std::vector<decltype(parse(option, list))> values;
    for (const std::string& word : split(list, ',')) values.push_back(parse(option, word));
    return values;
}

/// A number of an option, finite. Throws Error{usage} naming the option and what was found.
double parse_number(const std::string& option, const std::string& text);
/// A whole number of an option, at least `least`.
Index parse_integer(const std::string& option, const std::string& text, Index least);

/// Bytes: "500M", "1.5G", "800000"; K, M, G and T are powers of 1024, "iB" or "B" may follow. Throws Error{usage}.
std::size_t parse_bytes(const std::string& option, const std::string& text);

/// The axis an entry names (none: by position) and its words.
using AxisEntry = std::pair<std::optional<char>, std::string>;
/// Splits "a" | "a,b,c" | "x=a,z=c". Throws Error{usage} for any other shape or a letter that comes twice.
std::vector<AxisEntry> split_axes(const std::string& option, const std::string& text);
/// Throws Error{usage} listing the letters there are.
std::size_t axis_of(const std::string& option, char letter, const std::array<char, 3>& labels);

/// What an option says of each axis. Its words are checked when the command line is read, its letters when
/// the file has said what its axes are called.
template <class Value>
class PerAxis {
public:
    PerAxis(std::string option, const std::string& text, const std::function<Value(const std::string&)>& parse)
        : option_(std::move(option)) {
        for (const AxisEntry& entry : split_axes(option_, text))
            entries_.emplace_back(entry.first, parse(entry.second));
    }

    /// The values in index order; empty for axes that the option leaves out.
    [[nodiscard]] std::array<std::optional<Value>, 3> resolve(const std::array<char, 3>& labels) const {
        std::array<std::optional<Value>, 3> values;
        if (entries_.size() == 1 && !entries_[0].first) {
            values.fill(entries_[0].second);
            return values;
        }
        for (std::size_t i = 0; i < entries_.size(); ++i)
            values[entries_[i].first ? axis_of(option_, *entries_[i].first, labels) : i] = entries_[i].second;
        return values;
    }

private:
    std::string option_;
    std::vector<std::pair<std::optional<char>, Value>> entries_;
};

/// "dirichlet" | "dirichlet:free"; robin is followed by its numbers, "robin:1:0.5", or by none.
PerAxis<Walls> parse_boundaries(const std::string& option, const std::string& text);
PerAxis<Centering> parse_centerings(const std::string& option, const std::string& text);
/// Finite numbers above 0: spacings and lengths.
PerAxis<double> parse_lengths(const std::string& option, const std::string& text);
PerAxis<double> parse_numbers(const std::string& option, const std::string& text);
/// "64" for a cube, "64,32,48" or "64x32x48".
Extents parse_points(const std::string& option, const std::string& text);
/// What was said of the gauge. `far` is what free faces have by themselves; Gauge has no word for it.
struct GaugeWord {
    std::string text;
    Gauge gauge;
    bool far = false;
};
/// "far", "mean" or "i,j,k".
GaugeWord parse_gauge(const std::string& option, const std::string& text);
/// The gauge of a problem whose faces and λ are known. Throws Error{usage} for "far" without free faces, and for
/// any word where free faces leave nothing to choose.
Gauge choose_gauge(const std::string& option, const GaugeWord& word, const Problem& problem);
/// How the constant of u is fixed: "far", "mean", "i,j,k"; "none" where free faces leave nothing to choose.
std::string spell_gauge(const Problem& problem);

/// Gives the axis its faces. Throws Error{usage} for a Robin face without numbers.
void give_faces(Axis& axis, const Walls& walls);

/// The boundary pair as an option writes it: "periodic", "dirichlet:neumann".
std::string spell(const Faces& faces);
/// The same with the numbers of Robin faces: "dirichlet:robin:1:0.5".
std::string spell_faces(const Axis& axis);

/// mixed: fields in double, transforms in single.
enum class Precision { double_precision, single_precision, mixed };
const char* name(Precision precision) noexcept;  ///< "double", "single", "mixed"
Precision parse_precision(const std::string& option, const std::string& word);

/// Throws Error{usage} listing the words there are, and the one that may have been meant.
[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::vector<std::string>& words);

/// Turns a word into the value that belongs to it; throws as refuse_word().
template <class Value>
class WordOf {
public:
    WordOf(std::initializer_list<std::pair<std::string, Value>> choices) : choices_(choices) {}
    Value operator()(const std::string& option, const std::string& word) const {
        for (const auto& [name, value] : choices_)
            if (name == word) return value;
        refuse_word(option, word, words());
    }
    [[nodiscard]] std::vector<std::string> words() const {
        std::vector<std::string> names;
        for (const auto& choice : choices_) names.push_back(choice.first);
        return names;
    }

protected:
    std::vector<std::pair<std::string, Value>> choices_;
};

/// The same for values that have a name().
template <class Value>
class NameOf : public WordOf<Value> {
public:
    explicit NameOf(const std::vector<Value>& values) : WordOf<Value>({}) {
        for (const Value value : values) this->choices_.emplace_back(name(value), value);
    }
    NameOf(std::initializer_list<Value> values) : NameOf(std::vector<Value>(values)) {}
};

}  // namespace poisson3d::app
