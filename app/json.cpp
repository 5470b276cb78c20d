#include "json.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>

#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

/// Bytes of the UTF-8 character that starts `text`; 0 if no valid one does (overlong forms, surrogates and
/// values above U+10FFFF are not valid).
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    const unsigned second = byte(1);
    const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return wrong ? 0 : length;
}

void write_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        std::size_t length = 1;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else if (length = character_length(text); length == 0) {
            out += "\xEF\xBF\xBD";
            length = 1;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out += '"';
}

void new_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(2 * depth, ' ');
}

}  // namespace

Json Json::object() {
    Json json;
    json.value_ = Object{};
    return json;
}

Json Json::array() {
    Json json;
    json.value_ = Array{};
    return json;
}

Json& Json::set(const std::string& key, Json value) {
    std::get<Object>(value_).emplace_back(key, std::move(value));
    return *this;
}

Json& Json::push(Json element) {
    std::get<Array>(value_).push_back(std::move(element));
    return *this;
}

std::string Json::text() const {
    std::string out;
    write(out, 0);
    return out;
}

bool Json::plain() const {
    return !std::holds_alternative<Array>(value_) && !std::holds_alternative<Object>(value_);
}

void Json::write_array(std::string& out, const Array& elements, std::size_t depth) const {
    bool on_one_line = true;
    for (const Json& element : elements) on_one_line = on_one_line && element.plain();
    out += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (i > 0) out += on_one_line ? ", " : ",";
        if (!on_one_line) new_line(out, depth + 1);
        elements[i].write(out, depth + 1);
    }
    if (!on_one_line) new_line(out, depth);
    out += ']';
}

void Json::write(std::string& out, std::size_t depth) const {
    if (const auto* truth = std::get_if<bool>(&value_)) {
        out += *truth ? "true" : "false";
    } else if (const auto* integer = std::get_if<long long>(&value_)) {
        out += std::to_string(*integer);
    } else if (const auto* number = std::get_if<double>(&value_)) {
        out += std::isfinite(*number) ? format_number(*number) : "null";
    } else if (const auto* string = std::get_if<std::string>(&value_)) {
        write_string(out, *string);
    } else if (const auto* elements = std::get_if<Array>(&value_)) {
        write_array(out, *elements, depth);
    } else if (const auto* members = std::get_if<Object>(&value_)) {
        out += '{';
        for (std::size_t i = 0; i < members->size(); ++i) {
            if (i > 0) out += ',';
            new_line(out, depth + 1);
            write_string(out, (*members)[i].first);
            out += ": ";
            (*members)[i].second.write(out, depth + 1);
        }
        if (!members->empty()) new_line(out, depth);
        out += '}';
    } else {
        out += "null";
    }
}

}  // namespace poisson3d::app
