// NVIDIA's libraries that are found at run time, as functions for JavaScript.
#pragma once

#include <napi.h>

#include "background.h"

namespace mmptx {

// The functions of NVRTC and nvJitLink. They share the environment's background.
void registerToolkit(Napi::Env env, Napi::Object exports);

void registerNvrtc(Napi::Env env, Napi::Object exports, Background *background);
void registerJitLink(Napi::Env env, Napi::Object exports, Background *background);

// Arguments, checked, because a wrong one must throw and never crash.
std::string textAt(const Napi::CallbackInfo &info, std::size_t index);
std::vector<std::string> textsAt(const Napi::CallbackInfo &info, std::size_t index);
Napi::Function functionAt(const Napi::CallbackInfo &info, std::size_t index);
Napi::Array toArray(Napi::Env env, std::initializer_list<Napi::Value> values);
Napi::Uint8Array toBytes(Napi::Env env, const std::string &bytes);

}  // namespace mmptx
