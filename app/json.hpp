// A JSON value that keeps the order of its keys: enough to write reports, nothing to read.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace poisson3d::app {

/// null, true/false, number, text, array or object. Numbers that are not finite are written as null, text that
/// is not UTF-8 (file names may hold any byte) with U+FFFD in place of the bad bytes: the result is always JSON.
class Json {
public:
    Json() = default;
    // Moved, never copied: a variant of g++ 12 whose copy runs out of memory destroys what it has not made.
    Json(const Json&) = delete;
    Json& operator=(const Json&) = delete;
    Json(Json&&) noexcept = default;
    Json& operator=(Json&&) noexcept = default;
    ~Json() = default;
    Json(bool value) : value_(value) {}
    Json(double value) : value_(value) {}
    template <class N>
    requires(std::is_integral_v<N> && !std::is_same_v<N, bool>) Json(N value)
        : value_(static_cast<long long>(value)) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(const char* value) : value_(std::string(value)) {}

    static Json object();
    static Json array();
    /// An array of the elements of any container.
    template <class Range>
    static Json list(const Range& range) {
        Json json = array();
        for (const auto& element : range) json.push(Json(element));
        return json;
    }

    /// Appends a key to an object; keys are not checked for repetition. Returns the object, for chains.
    Json& set(const std::string& key, Json value) &;
    Json&& set(const std::string& key, Json value) && { return std::move(set(key, std::move(value))); }
    /// Appends an element to an array. Returns the array.
    Json& push(Json element) &;
    Json&& push(Json element) && { return std::move(push(std::move(element))); }

    /// The text, indented by two spaces a level, arrays of plain values on one line; no newline at the end.
    [[nodiscard]] std::string text() const;

private:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    [[nodiscard]] bool plain() const;
    void write(std::string& out, std::size_t depth) const;
    void write_array(std::string& out, const Array& elements, std::size_t depth) const;

    std::variant<std::monostate, bool, long long, double, std::string, Array, Object> value_;
};

}  // namespace poisson3d::app
