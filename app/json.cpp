#include "json.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>

#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

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
        } else if (length = utf8_length(text); length == 0) {
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

Json& Json::set(const std::string& key, Json value) & {
    std::get<Object>(value_).emplace_back(key, std::move(value));
    return *this;
}

Json& Json::push(Json element) & {
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
