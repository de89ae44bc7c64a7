// What JavaScript gives to a function of ours, checked: a wrong one throws and never crashes.
#pragma once

#include <napi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mmptx {

// The largest whole number below which a double has them all.
constexpr double kMaxId = 9007199254740991.0;

std::string textArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name);
std::vector<std::string> textsArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name);
double numberArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name, double least, double most);

// What is wrapped in an object of ours, or null.
void *unwrap(Napi::Env env, napi_value value, const napi_type_tag &tag);

}  // namespace mmptx
