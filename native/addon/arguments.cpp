#include "arguments.h"

namespace mmptx {

std::string textArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name) {
  if (!info[index].IsString()) throw Napi::TypeError::New(info.Env(), std::string("expected a string as ") + name);
  return info[index].As<Napi::String>().Utf8Value();
}

std::vector<std::string> textsArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name) {
  if (!info[index].IsArray()) throw Napi::TypeError::New(info.Env(), std::string("expected texts as ") + name);
  const auto array = info[index].As<Napi::Array>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < array.Length(); i++) {
    const Napi::Value value = array[i];
    if (!value.IsString()) throw Napi::TypeError::New(info.Env(), std::string("expected texts as ") + name);
    texts.push_back(value.As<Napi::String>().Utf8Value());
  }
  return texts;
}

double numberArgument(const Napi::CallbackInfo &info, std::size_t index, const char *name, double least, double most) {
  const double value = info[index].IsNumber() ? info[index].As<Napi::Number>().DoubleValue() : -1;
  if (!(value >= least && value <= most)) {
    throw Napi::TypeError::New(info.Env(), std::string("expected a number in range as ") + name);
  }
  return value;
}

void *unwrap(Napi::Env env, napi_value value, const napi_type_tag &tag) {
  bool ours = false;
  void *handle = nullptr;
  if (!Napi::Value(env, value).IsObject() || napi_check_object_type_tag(env, value, &tag, &ours) != napi_ok || !ours ||
      napi_unwrap(env, value, &handle) != napi_ok) {
    return nullptr;
  }
  return handle;
}

}  // namespace mmptx
