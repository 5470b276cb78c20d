#include "openpmd.hpp"

#include <algorithm>
#include <cctype>

#include "h5_attributes.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

bool has(hid_t object, const char* attribute) {
    return H5Aexists(object, attribute) > 0;
}

/// The record of a component: the data set itself, or the group that it stands in. Invalid if there is none.
h5::Object find_record(const h5::Input& input, const std::string& dataset) {
    h5::Object object = input.find(dataset);
    if (object.valid() && has(object.get(), "gridSpacing")) return object;
    const std::size_t slash = dataset.find_last_of('/');
    if (slash == std::string::npos || slash == 0) return h5::Object();
    h5::Object group = input.find(dataset.substr(0, slash));
    return group.valid() && has(group.get(), "gridSpacing") ? std::move(group) : h5::Object();
}

[[noreturn]] void refuse(const h5::Subject& subject, const std::string& attribute, const std::string& found,
                         const std::string& wanted) {
    subject.fail(ErrorCode::data, "attribute " + attribute + " of openPMD: found " + found + ", wanted " + wanted);
}

/// `count` numbers, or empty if there is no such attribute.
std::optional<std::vector<double>> numbers(hid_t object, const h5::Subject& subject, const std::string& name,
                                           std::size_t count) {
    const std::string wanted = std::to_string(count) + (count == 1 ? " number" : " numbers");
    auto values = h5::read_numbers(object, subject, name, wanted);
    if (values && values->size() != count) refuse(subject, name, std::to_string(values->size()), wanted);
    return values;
}

std::string text(hid_t object, const h5::Subject& subject, const std::string& name, const std::string& standard) {
    const auto values = h5::read_texts(object, subject, name, "a text");
    return values && values->size() == 1 ? values->front() : standard;
}

}  // namespace

double openpmd_unit(const h5::Input& input, const h5::Numbers& component, const std::string& dataset) {
    if (!find_record(input, dataset).valid()) return 1.0;
    const auto unit = numbers(component.dataset.get(), component.subject, "unitSI", 1);
    return unit ? (*unit)[0] : 1.0;
}

void read_openpmd(const h5::Input& input, const h5::Source& source, const std::string& dataset,
                  FieldHeader& header) {
    const h5::Object record = find_record(input, dataset);
    if (!record.valid() || has(source.dataset.get(), "spacing")) return;
    const h5::Subject& subject = source.subject;
    const hid_t mesh = record.get();
    if (const std::string geometry = text(mesh, subject, "geometry", "cartesian"); geometry != "cartesian")
        refuse(subject, "geometry", printable(geometry), "cartesian");
    auto spacing = numbers(mesh, subject, "gridSpacing", 3).value();
    auto offset = numbers(mesh, subject, "gridGlobalOffset", 3).value_or(std::vector<double>(3, 0.0));
    auto position = numbers(source.dataset.get(), subject, "position", 3).value_or(std::vector<double>(3, 0.0));
    auto labels = h5::read_texts(mesh, subject, "axisLabels", "3 texts").value_or(std::vector<std::string>());
    // Of data that Fortran wrote the attributes run from the fastest index to the slowest.
    if (text(mesh, subject, "dataOrder", "C") == "F") {
        for (auto* const list : {&spacing, &offset, &position}) std::reverse(list->begin(), list->end());
        std::reverse(labels.begin(), labels.end());
    }
    const double unit = numbers(mesh, subject, "gridUnitSI", 1).value_or(std::vector<double>{1.0})[0];
    header.spacing.emplace();
    for (std::size_t a = 0; a < 3; ++a) {
        (*header.spacing)[a] = spacing[a] * unit;
        if (!((*header.spacing)[a] > 0.0))
            refuse(subject, "gridSpacing", format_number(spacing[a]), "numbers above 0");
        if (position[a] != 0.0 && position[a] != 0.5)
            refuse(subject, "position", format_number(position[a]), "0 (nodes) or 0.5 (cells)");
        header.centering[a] = position[a] == 0.0 ? Centering::node : Centering::cell;
        header.origin[a] = (offset[a] + position[a] * spacing[a]) * unit;
    }
    const bool letters = labels.size() == 3 && std::all_of(labels.begin(), labels.end(), [](const std::string& l) {
                             return l.size() == 1 && std::isalpha(static_cast<unsigned char>(l[0])) != 0;
                         });
    if (letters && labels[0] != labels[1] && labels[1] != labels[2] && labels[0] != labels[2])
        for (std::size_t a = 0; a < 3; ++a) header.labels[a] = labels[a][0];
    header.format = "openPMD";
    header.origin_is_point = true;
    header.units.length.assign(1, 'm');
    if (source.unit != 1.0)
        header.notes.push_back("numbers were multiplied by their unitSI, " + format_number(source.unit));
}

}  // namespace poisson3d
