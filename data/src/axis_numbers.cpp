#include "axis_numbers.hpp"

#include <algorithm>

#include "chunks.hpp"
#include "finite.hpp"
#include "poisson3d/text.hpp"
#include "source.hpp"

namespace poisson3d::h5 {

namespace {

std::vector<double> read_axis(const Input& input, const std::string& dataset, const Count& wanted) {
    const Numbers found = open_numbers(input, dataset, "1-D, " + wanted.words);
    const Subject& subject = found.subject;
    if (found.extents.size() != 1)
        subject.fail(ErrorCode::data, "found " + describe_shape(found.extents) + ", wanted 1-D, " + wanted.words);
    const auto count = found.extents[0];
    if (count < static_cast<hsize_t>(wanted.least) || count > static_cast<hsize_t>(wanted.most))
        subject.fail(ErrorCode::data, "found " + std::to_string(count) + (count == 1 ? " number" : " numbers") +
                                          ", wanted " + wanted.words);
    const Storage storage = inspect_storage(input, found.dataset.get(), subject);
    if (storage.packing != Packing::none) require_whole_chunks(input, found.dataset.get(), subject);
    std::vector<double> values(count);
    subject.check(H5Dread(found.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                  "cannot be read");
    const auto bad = first_not_finite(FieldView<const double>(values.data(), {1, 1, static_cast<Index>(count)}));
    if (bad)
        subject.fail(ErrorCode::data, "found " + format_number(values[static_cast<std::size_t>((*bad)[2])]) +
                                          " at index " + std::to_string((*bad)[2]) +
                                          ", wanted finite numbers everywhere");
    return values;
}

}  // namespace

Subject axis_subject(const Input& input, const std::string& group, char label) {
    return {ErrorCode::file, name_of(input.path(), "dataset", group + "/" + label)};
}

std::array<std::vector<double>, 3> read_axis_group(const Input& input, const AxisGroup& group,
                                                   const std::array<char, 3>& labels, const Extents& points) {
    const Quiet quiet;
    std::array<std::vector<double>, 3> numbers;
    const Object found = input.find(group.path);
    if (!found.valid()) return numbers;
    const Subject subject{ErrorCode::file, name_of(input.path(), "group", group.path)};
    if (H5Iget_type(found.get()) != H5I_GROUP)
        subject.fail(ErrorCode::data, "found something else of that name, wanted a group with " + group.content);
    // One more than there can be: then one of them is wrong.
    for (const std::string& name : list_group(found.get(), subject, labels.size() + 1)) {
        const auto* const label = std::find(labels.begin(), labels.end(), name.size() == 1 ? name[0] : '\0');
        if (label == labels.end())
            subject.fail(ErrorCode::data, "found " + printable(name) + ", wanted names of axes: " + labels[0] +
                                              ", " + labels[1] + ", " + labels[2]);
        const auto a = static_cast<std::size_t>(label - labels.begin());
        numbers[a] = read_axis(input, group.path + "/" + *label, group.count(points[a]));
    }
    return numbers;
}

}  // namespace poisson3d::h5
