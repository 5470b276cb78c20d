#include "face_values.hpp"

#include <algorithm>

#include "finite.hpp"
#include "poisson3d/text.hpp"
#include "source.hpp"
#include "storage.hpp"

namespace poisson3d::h5 {

namespace {

const std::string place = "/boundary_values";

// The axes of a face in index order.
std::array<std::size_t, 2> axes_of(char label, const std::array<char, 3>& labels) {
    if (label == labels[0]) return {1, 2};
    return {0, label == labels[1] ? 2U : 1U};
}

void require_finite(const Numbers& numbers, const FaceData& face) {
    const FieldView<const double> view(face.values.data(), {1, face.extents[0], face.extents[1]});
    const auto found = first_not_finite(view);
    if (!found) return;
    const auto [plane, a, b] = *found;
    const std::string index =
        face.array ? " at index [" + std::to_string(a) + ", " + std::to_string(b) + "]" : std::string();
    numbers.subject.fail(ErrorCode::data, "found " + format_number(view(plane, a, b)) + index +
                                              ", wanted finite numbers everywhere");
}

}  // namespace

std::vector<std::string> list_faces(hid_t file, const std::string& path, const std::array<char, 3>& labels) {
    if (!exists(file, place)) return {};
    const Subject subject{ErrorCode::file, path + ", group " + place};
    const Object group(subject.check(H5Oopen(file, place.c_str(), H5P_DEFAULT), "cannot be opened"));
    if (H5Iget_type(group.get()) != H5I_GROUP)
        subject.fail(ErrorCode::data, "found something else of that name, wanted a group of face values");
    auto names = list_group(group.get(), subject);
    std::vector<std::string> known;
    std::string list;
    for (const char label : labels)
        for (const char* side : {"_lower", "_upper"}) {
            known.push_back(label + std::string(side));
            list.append(list.empty() ? "" : ", ").append(known.back());
        }
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            subject.fail(ErrorCode::data,
                         std::string("found ").append(name).append(", wanted names of faces: ") + list);
    return names;
}

FaceData read_face(hid_t file, const std::string& path, const std::string& face, const Extents& points,
                   const std::array<char, 3>& labels) {
    const Quiet quiet;
    const std::string dataset = place + "/" + face;
    const auto [a, b] = axes_of(face[0], labels);
    const std::vector<hsize_t> wanted{static_cast<hsize_t>(points[a]), static_cast<hsize_t>(points[b])};
    const std::string wish = "one number or a 2-D array of extents " + describe_extents(wanted) +
                             ", the points of " + labels[a] + " and " + labels[b];
    // Its name stands in the group, so what is missing is the other end of a link.
    if (!exists(file, dataset))
        throw Error(ErrorCode::data,
                    path + ", dataset " + dataset + ": found a link that leads nowhere, wanted " + wish);
    const Numbers numbers = open_numbers(file, path, dataset, wish);
    const bool one = std::all_of(numbers.extents.begin(), numbers.extents.end(), [](hsize_t n) { return n == 1; });
    if (!one && numbers.extents != wanted)
        numbers.subject.fail(ErrorCode::data, "found " + describe_shape(numbers.extents) + ", wanted " + wish);
    static_cast<void>(inspect_storage(numbers.dataset.get(), path, numbers.subject));

    FaceData data;
    data.array = !one;
    if (data.array) data.extents = {points[a], points[b]};
    data.values.resize(static_cast<std::size_t>(data.extents[0] * data.extents[1]));
    numbers.subject.check(
        H5Dread(numbers.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.values.data()),
        "cannot be read");
    require_finite(numbers, data);
    return data;
}

}  // namespace poisson3d::h5
