// The functions through which JavaScript calls the driver.
#pragma once

#include <napi.h>

namespace mmptx {

void addDriverFunctions(Napi::Env env, Napi::Object exports);

}  // namespace mmptx
