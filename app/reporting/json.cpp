#include "reporting/json.hpp"

#include <nlohmann/json.hpp>

namespace poisson3d::app {

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace poisson3d::app
