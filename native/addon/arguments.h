// Checked access to the arguments that JavaScript passes: a wrong one throws and never crashes.
#pragma once

#include <napi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mmptx {

// The largest whole number up to which a double represents every whole number.
constexpr double kMaxId = 9007199254740991.0;

std::string textArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name);
std::vector<std::string> textsArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name);
double numberArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name, double least, double most);

// What one of our objects wraps, or null.
void *unwrap(Napi::Env env, napi_value value, const napi_type_tag &tag);

}  // namespace mmptx
