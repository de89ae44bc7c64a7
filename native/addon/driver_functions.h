// The functions that JavaScript calls the driver through.
#pragma once

#include <napi.h>

namespace mmptx {

void addDriverFunctions(Napi::Env env, Napi::Object exports);

}  // namespace mmptx
