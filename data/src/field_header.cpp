#include "field_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <numeric>

#include "coefficients.hpp"
#include "face_values.hpp"
#include "h5_attributes.hpp"
#include "number_type.hpp"
#include "openpmd.hpp"
#include "poisson3d/text.hpp"
#include "positions.hpp"

namespace poisson3d {

namespace {

using Faces = std::array<Boundary, 2>;

// Reads the attributes of one data set and knows how to name them in a complaint.
class Attributes {
public:
    explicit Attributes(const h5::Source& source) : source_(source) {}

    [[noreturn]] void fail(const std::string& name, const std::string& what) const {
        source_.subject.fail(ErrorCode::data, "attribute " + name + ": " + what);
    }

    // `count` numbers, or empty if there is no such attribute.
    [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string& name, std::size_t count,
                                                             const std::string& wanted) const {
        auto values = h5::read_numbers(source_.dataset.get(), source_.subject, name, wanted);
        if (values && values->size() != count)
            fail(name, "found " + counted(values->size(), "number") + ", wanted " + wanted);
        return values;
    }

    // As many texts as one of `counts` says, or empty if there is no such attribute.
    [[nodiscard]] std::optional<std::vector<std::string>> texts(const std::string& name,
                                                                const std::vector<std::size_t>& counts,
                                                                const std::string& wanted) const {
        auto values = h5::read_texts(source_.dataset.get(), source_.subject, name, wanted);
        if (values && std::find(counts.begin(), counts.end(), values->size()) == counts.end())
            fail(name, "found " + counted(values->size(), "text") + ", wanted " + wanted);
        return values;
    }

    // A text that means nothing to the solution: what is none is left alone.
    [[nodiscard]] std::string text(const std::string& name) const {
        try {
            const auto values = h5::read_texts(source_.dataset.get(), source_.subject, name, "a text");
            return values && values->size() == 1 ? values->front() : "";
        } catch (const Error& error) {
            if (error.code() == ErrorCode::out_of_memory) throw;
            return "";
        }
    }

    // A misspelled attribute would be as good as none, and a default would take its place.
    void require_known_case(const std::array<char, 3>& labels) const {
        std::vector<std::string> known{"spacing", "origin", "boundary", "centering", "helmholtz", "axis_labels"};
        for (const char label : labels)
            for (const char* side : {"_lower", "_upper"}) known.push_back(std::string("robin_") + label + side);
        for (const std::string& name : h5::attribute_names(source_.dataset.get(), source_.subject)) {
            std::string lower = name;
            std::transform(lower.begin(), lower.end(), lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            if (lower != name && std::find(known.begin(), known.end(), lower) != known.end())
                fail(printable(name), "wanted the name in lower case: " + lower);
        }
    }

private:
    static std::string counted(std::size_t count, const std::string& noun) {
        return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    }

    const h5::Source& source_;
};

std::array<double, 3> to_array(const std::vector<double>& values) {
    return {values[0], values[1], values[2]};
}

std::optional<std::array<double, 3>> read_spacing(const Attributes& attributes) {
    const std::string wanted = "3 finite numbers above 0, one per axis in index order";
    const auto values = attributes.numbers("spacing", 3, wanted);
    if (!values) return std::nullopt;
    for (const double value : *values)
        if (value <= 0.0) attributes.fail("spacing", "found " + format_number(value) + ", wanted " + wanted);
    return to_array(*values);
}

// Words in the attribute are the file's, so an unknown one is told with the attribute's name.
template <class Parse>
auto parse_word(const Attributes& attributes, const std::string& name, const std::string& word, Parse parse) {
    try {
        return parse(printable(word));
    } catch (const Error& error) {
        attributes.fail(name, error.what());
    }
}

// "dirichlet" for both faces of an axis, or "dirichlet:neumann" for lower and upper.
Faces parse_faces(const Attributes& attributes, const std::string& text) {
    const auto parse = [&](const std::string& word) {
        return parse_word(attributes, "boundary", word, [](const std::string& w) { return parse_boundary(w); });
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return {parse(text), parse(text)};
    return {parse(text.substr(0, colon)), parse(text.substr(colon + 1))};
}

std::optional<std::array<Faces, 3>> read_boundary(const Attributes& attributes, const std::array<char, 3>& labels) {
    const auto words = attributes.texts(
        "boundary", {1, 3, 6},
        "one text for all faces, 3 (one per axis in index order, lower:upper if they differ) or 6 (lower and upper "
        "of each axis)");
    if (!words) return std::nullopt;
    std::array<Faces, 3> faces{};
    for (std::size_t a = 0; a < 3; ++a) {
        if (words->size() == 6) {
            for (const std::size_t side : {0U, 1U})
                faces[a][side] = parse_word(attributes, "boundary", (*words)[2 * a + side],
                                            [](const std::string& word) { return parse_boundary(word); });
        } else {
            faces[a] = parse_faces(attributes, (*words)[words->size() == 3 ? a : 0]);
        }
        if ((faces[a][0] == Boundary::periodic) != (faces[a][1] == Boundary::periodic))
            attributes.fail("boundary", std::string("found ") + name(faces[a][0]) + " below and " +
                                            name(faces[a][1]) + " above on axis " + labels[a] +
                                            ", wanted periodic on both sides or on none");
    }
    return faces;
}

std::array<std::array<std::optional<Robin>, 2>, 3> read_robin(const Attributes& attributes,
                                                              const std::array<char, 3>& labels) {
    std::array<std::array<std::optional<Robin>, 2>, 3> robin{};
    for (std::size_t a = 0; a < 3; ++a)
        for (const std::size_t side : {0U, 1U}) {
            const std::string name = std::string("robin_") + labels[a] + (side == 0 ? "_lower" : "_upper");
            if (const auto values = attributes.numbers(name, 2, "2 finite numbers, alpha and beta of the face"))
                robin[a][side] = Robin{(*values)[0], (*values)[1]};
        }
    return robin;
}

std::array<Centering, 3> read_centering(const Attributes& attributes) {
    const auto words =
        attributes.texts("centering", {1, 3}, "one text for all axes or 3, one per axis in index order");
    std::array<Centering, 3> centering{Centering::cell, Centering::cell, Centering::cell};
    if (!words) return centering;
    for (std::size_t a = 0; a < 3; ++a)
        centering[a] = parse_word(attributes, "centering", (*words)[words->size() == 3 ? a : 0],
                                  [](const std::string& word) { return parse_centering(word); });
    return centering;
}

std::array<char, 3> read_labels(const Attributes& attributes) {
    const std::string wanted = "3 different letters";
    const auto words = attributes.texts("axis_labels", {3}, wanted);
    std::array<char, 3> labels{'x', 'y', 'z'};
    if (!words) return labels;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::string& word = (*words)[a];
        if (word.size() != 1 || std::isalpha(static_cast<unsigned char>(word[0])) == 0)
            attributes.fail("axis_labels", "found '" + printable(word) + "', wanted " + wanted);
        labels[a] = word[0];
    }
    if (labels[0] == labels[1] || labels[1] == labels[2] || labels[0] == labels[2])
        attributes.fail("axis_labels", std::string("found ").append(labels.data(), 3) + ", wanted " + wanted);
    return labels;
}

}  // namespace

Index FieldHeader::steps() const {
    return std::accumulate(leading.begin(), leading.end(), Index{1}, std::multiplies<>());
}

FieldHeader read_header(const h5::Input& input, const h5::Source& source, const std::string& dataset) {
    const h5::Quiet quiet;
    const Attributes attributes(source);

    FieldHeader header;
    header.path = input.path();
    header.dataset = dataset;
    header.points = source.points;
    for (const hsize_t extent : source.steps.extents) header.leading.push_back(static_cast<Index>(extent));
    header.type_bytes = source.type_bytes;
    header.type_name = source.type_name;
    header.storage = source.storage.description;
    header.labels = read_labels(attributes);
    attributes.require_known_case(header.labels);
    header.spacing = read_spacing(attributes);
    if (const auto origin = attributes.numbers("origin", 3, "3 finite numbers, one per axis in index order"))
        header.origin = to_array(*origin);
    read_openpmd(input, source, dataset, header);
    header.boundary = read_boundary(attributes, header.labels);
    header.robin = read_robin(attributes, header.labels);
    header.positions = h5::read_positions(input, header.labels, header.points);
    header.coefficients = h5::read_coefficients(input, header.labels, header.points);
    if (header.format == "HDF5") header.centering = read_centering(attributes);
    if (const auto helmholtz = attributes.numbers("helmholtz", 1, "one finite number"))
        header.helmholtz = (*helmholtz)[0];
    header.boundary_values = h5::list_faces(input, header.labels);
    if (const std::string length = attributes.text("length_units"); !length.empty()) header.units.length = length;
    header.units.field = attributes.text("units");
    header.units.solution = attributes.text("solution_units");
    header.solved_dataset = attributes.text("input_dataset");
    if (const std::string note = conversion_note(source.type_name, source.type_bytes); !note.empty())
        header.notes.push_back(note);
    return header;
}

void look_for_exact(const h5::Input& input, const h5::Source& source, FieldHeader& header) {
    header.has_exact = false;
    header.exact_problem.clear();
    try {
        if (!input.find("/exact").valid()) return;
        const h5::Source exact = h5::open_source(input, "/exact", !header.leading.empty());
        header.has_exact = exact.extents == source.extents;
        if (!header.has_exact)
            header.exact_problem = exact.subject.name + ": found extents " + h5::describe_extents(exact.extents) +
                                   ", other than those of " + printable(header.dataset);
    } catch (const OutputIsInput&) {
        throw;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::out_of_memory) throw;
        header.exact_problem = error.what();
    }
}

}  // namespace poisson3d
