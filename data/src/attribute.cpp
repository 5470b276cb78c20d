#include <utility>

#include "poisson3d/field_file.hpp"

namespace poisson3d {

namespace {

Attribute named(std::string name, Attribute::Kind kind) {
    Attribute attribute;
    attribute.name = std::move(name);
    attribute.kind = kind;
    return attribute;
}

}  // namespace

Attribute Attribute::of(std::string name, double value) {
    Attribute attribute = named(std::move(name), Kind::number);
    attribute.number = value;
    return attribute;
}

Attribute Attribute::of(std::string name, int value) {
    return of(std::move(name), static_cast<long long>(value));
}

Attribute Attribute::of(std::string name, long long value) {
    Attribute attribute = named(std::move(name), Kind::integer);
    attribute.integer = value;
    return attribute;
}

Attribute Attribute::of(std::string name, std::string value) {
    Attribute attribute = named(std::move(name), Kind::text);
    attribute.text = std::move(value);
    return attribute;
}

Attribute Attribute::of(std::string name, std::vector<double> values) {
    Attribute attribute = named(std::move(name), Kind::numbers);
    attribute.numbers = std::move(values);
    return attribute;
}

Attribute Attribute::of(std::string name, std::vector<std::string> values) {
    Attribute attribute = named(std::move(name), Kind::texts);
    attribute.texts = std::move(values);
    return attribute;
}

}  // namespace poisson3d
