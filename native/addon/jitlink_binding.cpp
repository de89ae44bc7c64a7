#include "jitlink.h"

#include "toolkit.h"

namespace mmptx {
namespace {

const JitLink &libraryAt(const Napi::CallbackInfo &info) {
  std::string error;
  const JitLink *linker = JitLink::open(textAt(info, 0), error);
  if (linker == nullptr) throw Napi::Error::New(info.Env(), error);
  return *linker;
}

// jitlinkOpen(path) -> [major, minor]
Napi::Value jitlinkOpen(const Napi::CallbackInfo &info) {
  const auto [major, minor] = libraryAt(info).version();
  return toArray(info.Env(), {Napi::Number::New(info.Env(), major), Napi::Number::New(info.Env(), minor)});
}

class Link : public Work {
 public:
  Link(const JitLink &linker, LinkRequest request) : linker_(linker), request_(std::move(request)) {}

  void run(const std::atomic<bool> &) override { reply_ = linker_.link(request_); }

  // [status, operation, input, info log, error log, cubin]
  Napi::Value result(Napi::Env env) override {
    return toArray(env, {
                            Napi::Number::New(env, reply_.status),
                            Napi::String::New(env, reply_.operation),
                            Napi::Number::New(env, reply_.input),
                            Napi::String::New(env, reply_.infoLog),
                            Napi::String::New(env, reply_.errorLog),
                            toBytes(env, reply_.cubin),
                        });
  }

 private:
  const JitLink &linker_;
  LinkRequest request_;
  LinkReply reply_;
};

// jitlinkLink(path, options, types, names, data, done) -> number for stopWork; the inputs' types, names and bytes in arrays
// of one length.
Napi::Value jitlinkLink(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const JitLink &linker = libraryAt(info);
  LinkRequest request;
  request.options = textsAt(info, 1);
  const std::vector<std::string> names = textsAt(info, 3);
  if (!info[2].IsArray() || !info[4].IsArray()) throw Napi::TypeError::New(env, "expected arrays of types and data");
  const auto types = info[2].As<Napi::Array>();
  const auto data = info[4].As<Napi::Array>();
  if (types.Length() != names.size() || data.Length() != names.size()) {
    throw Napi::TypeError::New(env, "expected as many types and data as names");
  }
  for (uint32_t i = 0; i < names.size(); i++) {
    const Napi::Value type = types.Get(i);
    const Napi::Value each = data.Get(i);
    if (!type.IsNumber() || !each.IsTypedArray() ||
        each.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
      throw Napi::TypeError::New(env, "expected a number and a Uint8Array for each input");
    }
    const auto bytes = each.As<Napi::Uint8Array>();
    LinkInput input{type.As<Napi::Number>().Int32Value(), {}, names[i]};
    if (bytes.ByteLength() > 0) input.data.assign(reinterpret_cast<const char *>(bytes.Data()), bytes.ByteLength());
    request.inputs.push_back(std::move(input));
  }
  auto *background = static_cast<Background *>(info.Data());
  const uint32_t number = background->start(std::make_unique<Link>(linker, std::move(request)), functionAt(info, 5));
  return Napi::Number::New(env, number);
}

}  // namespace

void registerJitLink(Napi::Env env, Napi::Object exports, Background *background) {
  exports.Set("jitlinkOpen", Napi::Function::New<jitlinkOpen>(env, "jitlinkOpen"));
  exports.Set("jitlinkLink", Napi::Function::New<jitlinkLink>(env, "jitlinkLink", background));
}

}  // namespace mmptx
