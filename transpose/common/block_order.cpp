#include "poisson3d/block_order.hpp"

#include "common/enum_names.hpp"

namespace poisson3d {

namespace {

constexpr Word<BlockOrder> words[] = {
    {BlockOrder::automatic, "automatic"},
    {BlockOrder::row_major, "row-major"},
    {BlockOrder::column_major, "column-major"},
    {BlockOrder::v1bf, "v1bf"},
    {BlockOrder::v1, "v1"},
    {BlockOrder::v1r, "v1r"},
    {BlockOrder::v2, "v2"},
    {BlockOrder::v1b, "v1b"},
};

}  // namespace

const char* name(BlockOrder order) noexcept {
    return word_of(words, order);
}

BlockOrder parse_block_order(std::string_view word) {
    return parse_word(words, "block order", word);
}

}  // namespace poisson3d
