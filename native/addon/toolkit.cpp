#include "toolkit.h"

#include <cstring>

namespace mmptx {
namespace {

// stopWork(number): what `nvrtcCompile` or `jitlinkLink` returned. Its callback is not called any more.
Napi::Value stopWork(const Napi::CallbackInfo &info) {
  if (!info[0].IsNumber()) throw Napi::TypeError::New(info.Env(), "expected the number of some work");
  static_cast<Background *>(info.Data())->stop(info[0].As<Napi::Number>().Uint32Value());
  return info.Env().Undefined();
}

}  // namespace

void registerToolkit(Napi::Env env, Napi::Object exports) {
  auto *background = new Background(env);
  exports.Set("stopWork", Napi::Function::New<stopWork>(env, "stopWork", background));
  registerNvrtc(env, exports, background);
  registerJitLink(env, exports, background);
}

std::string textAt(const Napi::CallbackInfo &info, std::size_t index) {
  if (!info[index].IsString()) {
    throw Napi::TypeError::New(info.Env(), "expected a string as argument " + std::to_string(index));
  }
  return info[index].As<Napi::String>().Utf8Value();
}

std::vector<std::string> textsAt(const Napi::CallbackInfo &info, std::size_t index) {
  const auto refuse = [&] {
    throw Napi::TypeError::New(info.Env(), "expected an array of strings as argument " + std::to_string(index));
  };
  if (!info[index].IsArray()) refuse();
  const auto array = info[index].As<Napi::Array>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < array.Length(); i++) {
    const Napi::Value each = array.Get(i);
    if (!each.IsString()) refuse();
    texts.push_back(each.As<Napi::String>().Utf8Value());
  }
  return texts;
}

Napi::Function functionAt(const Napi::CallbackInfo &info, std::size_t index) {
  if (!info[index].IsFunction()) {
    throw Napi::TypeError::New(info.Env(), "expected a function as argument " + std::to_string(index));
  }
  return info[index].As<Napi::Function>();
}

Napi::Array toArray(Napi::Env env, std::initializer_list<Napi::Value> values) {
  Napi::Array array = Napi::Array::New(env, values.size());
  uint32_t i = 0;
  for (const Napi::Value &value : values) array.Set(i++, value);
  return array;
}

Napi::Uint8Array toBytes(Napi::Env env, const std::string &bytes) {
  Napi::Uint8Array array = Napi::Uint8Array::New(env, bytes.size());
  if (!bytes.empty()) std::memcpy(array.Data(), bytes.data(), bytes.size());
  return array;
}

}  // namespace mmptx
