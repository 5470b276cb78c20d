// Messages of numbers and lists, packed and unpacked by the same description of what is in them:
//
//     template <class Archive> void describe(Archive& archive, Thing& thing) { archive(thing.number, thing.list); }
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "ranks/ranks.hpp"

namespace poisson3d::app {

/// Appends what it is called with.
class Packer {
public:
    template <class... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
    void append(const void* data, std::size_t count) {
        const auto* const first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + count);
    }
    template <class Value>
    void put(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        append(&value, sizeof value);
    }
    template <class Value>
    void put(const std::vector<Value>& list) {
        put(list.size());
        append(list.data(), list.size() * sizeof(Value));
    }

    std::vector<std::byte> bytes_;
};

/// Fills what it is called with, in the same order.
class Unpacker {
public:
    explicit Unpacker(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
    template <class... Values>
    void operator()(Values&... values) {
        (get(values), ...);
    }

private:
    void take(void* data, std::size_t count) {
        if (count > 0) std::memcpy(data, bytes_.data() + at_, count);
        at_ += count;
    }
    template <class Value>
    void get(Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        take(&value, sizeof value);
    }
    template <class Value>
    void get(std::vector<Value>& list) {
        std::size_t count = 0;
        get(count);
        list.resize(count);
        take(list.data(), count * sizeof(Value));
    }

    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
};

inline void send_message(Ranks& ranks, int to, const Packer& message) {
    const std::size_t size = message.bytes().size();
    ranks.send(to, &size, sizeof size);
    ranks.send(to, message.bytes().data(), size);
}

inline Unpacker receive_message(Ranks& ranks, int from) {
    std::size_t size = 0;
    ranks.receive(from, &size, sizeof size);
    std::vector<std::byte> bytes(size);
    ranks.receive(from, bytes.data(), size);
    return Unpacker(std::move(bytes));
}

}  // namespace poisson3d::app
