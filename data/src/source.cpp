#include "source.hpp"

#include "openpmd.hpp"

#include "poisson3d/suggestion.hpp"

namespace poisson3d::h5 {

namespace {

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

void require_dataset(const Input& input, const Subject& subject, const std::string& dataset) {
    const Object object = input.find(dataset);
    if (!object.valid()) {
        const auto found = list_datasets(input.file());
        subject.fail(ErrorCode::data,
                     "not found; " + (found.empty() ? "the file has no data sets" : "the file has " + join(found)) +
                         " (--dataset chooses one)" + did_you_mean(dataset, found));
    }
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind != H5I_DATASET)
        subject.fail(ErrorCode::data, std::string("found a ") + (kind == H5I_GROUP ? "group" : "named type") +
                                          ", wanted a data set");
}

// Three extents are those of a field; with `steps` there may be others before them.
void read_shape(Source& source, bool steps) {
    const std::vector<hsize_t>& extents = source.extents;
    const Subject& subject = source.subject;
    if (extents.size() < 3 || (extents.size() > 3 && !steps))
        subject.fail(ErrorCode::data, "found " + describe_shape(extents) + ", wanted a 3-D array" +
                                          (extents.size() > 3 ? " (--step chooses one of many)" : ""));
    hsize_t most = hsize_t{1} << 58U;  // elements: leaves their bytes countable
    for (const hsize_t extent : extents) {
        if (extent == 0)
            subject.fail(ErrorCode::data,
                         "found extents " + describe_extents(extents) + ", wanted at least one point on each axis");
        if (extent > most)
            subject.fail(ErrorCode::data, "found extents " + describe_extents(extents) + ", which no memory holds");
        most /= extent;
    }
    const auto field = extents.end() - 3;
    source.steps.extents.assign(extents.begin(), field);
    for (std::size_t a = 0; a < 3; ++a)
        source.points[a] = static_cast<Index>(field[static_cast<std::ptrdiff_t>(a)]);
}

}  // namespace

std::string describe_shape(const std::vector<hsize_t>& extents) {
    if (extents.empty()) return "a single value";
    return std::to_string(extents.size()) + "-D of extents " + describe_extents(extents);
}

Numbers open_numbers(const Input& input, const std::string& dataset, const std::string& wanted, bool convert) {
    const Quiet quiet;
    Numbers numbers;
    numbers.subject = {ErrorCode::file, name_of(input.path(), "dataset", dataset)};
    const Subject& subject = numbers.subject;
    require_dataset(input, subject, dataset);
    numbers.dataset = input.open_dataset(dataset);

    const Type type(subject.check(H5Dget_type(numbers.dataset.get()), "cannot read its type"));
    const bool converted = convert && is_converted(type.get());
    if (!is_float32_or_64(type.get()) && !converted)
        subject.fail(ErrorCode::data, "found type " + describe_type(type.get()) + ", wanted float32 or float64");
    numbers.type_bytes = static_cast<int>(H5Tget_size(type.get()));
    if (converted) numbers.type_bytes = H5Tget_class(type.get()) == H5T_FLOAT ? 4 : 8;
    numbers.native_order = converted || H5Tget_order(type.get()) == H5Tget_order(H5T_NATIVE_DOUBLE);
    numbers.type_name = describe_type(type.get());

    const Space space(subject.check(H5Dget_space(numbers.dataset.get()), "cannot read its shape"));
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
        subject.fail(ErrorCode::data, "found no values, wanted " + wanted);
    numbers.extents = extents_of(space.get(), subject);
    return numbers;
}

Source open_source(const Input& input, const std::string& dataset, bool steps) {
    const Quiet quiet;
    Source source{open_numbers(input, dataset, "a 3-D array", true), {}, {}, {}, 1.0};
    read_shape(source, steps);
    source.unit = openpmd_unit(input, source, dataset);
    if (source.unit != 1.0) source.type_bytes = 8;  // products need not fit single precision
    source.storage = inspect_storage(input, source.dataset.get(), source.subject);
    return source;
}

}  // namespace poisson3d::h5
