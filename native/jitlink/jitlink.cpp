#include "jitlink.h"

#include "shared_library.h"

namespace mmptx {

using Handle = void *;

struct JitLinkFunctions {
  int (*version)(unsigned *, unsigned *);
  int (*create)(Handle *, uint32_t, const char *const *);
  int (*destroy)(Handle *);
  int (*addData)(Handle, int, const void *, std::size_t, const char *);
  int (*complete)(Handle);
  int (*errorLogSize)(Handle, std::size_t *);
  int (*errorLog)(Handle, char *);
  int (*infoLogSize)(Handle, std::size_t *);
  int (*infoLog)(Handle, char *);
  int (*cubinSize)(Handle, std::size_t *);
  int (*cubin)(Handle, void *);
};

namespace {

bool resolveAll(const SharedLibrary &library, JitLinkFunctions &f, std::string &error) {
  return library.resolve("nvJitLinkVersion", f.version, error) &&
         library.resolve("nvJitLinkCreate", f.create, error) &&
         library.resolve("nvJitLinkDestroy", f.destroy, error) &&
         library.resolve("nvJitLinkAddData", f.addData, error) &&
         library.resolve("nvJitLinkComplete", f.complete, error) &&
         library.resolve("nvJitLinkGetErrorLogSize", f.errorLogSize, error) &&
         library.resolve("nvJitLinkGetErrorLog", f.errorLog, error) &&
         library.resolve("nvJitLinkGetInfoLogSize", f.infoLogSize, error) &&
         library.resolve("nvJitLinkGetInfoLog", f.infoLog, error) &&
         library.resolve("nvJitLinkGetLinkedCubinSize", f.cubinSize, error) &&
         library.resolve("nvJitLinkGetLinkedCubin", f.cubin, error);
}

// A linker with the results of its calls: after the first failure nothing more is called.
class LinkSession {
 public:
  LinkSession(const JitLinkFunctions &functions, LinkReply &reply) : f_(functions), reply_(reply) {}
  ~LinkSession() {
    if (handle_ != nullptr) f_.destroy(&handle_);
  }

  bool create(const LinkRequest &request) {
    std::vector<const char *> options;
    for (const std::string &option : request.options) options.push_back(option.c_str());
    return check("nvJitLinkCreate", f_.create(&handle_, static_cast<uint32_t>(options.size()), options.data()));
  }

  bool add(const LinkRequest &request) {
    for (std::size_t i = 0; i < request.inputs.size(); i++) {
      const auto &[type, data, name] = request.inputs[i];
      if (check("nvJitLinkAddData", f_.addData(handle_, type, data.data(), data.size(), name.c_str()))) continue;
      reply_.input = static_cast<int32_t>(i);
      return false;
    }
    return true;
  }

  bool complete() { return check("nvJitLinkComplete", f_.complete(handle_)); }

  void takeLogs() {
    if (handle_ == nullptr) return;
    takeLog(f_.errorLogSize, f_.errorLog, reply_.errorLog);
    takeLog(f_.infoLogSize, f_.infoLog, reply_.infoLog);
  }

  bool takeCubin() {
    std::size_t size = 0;
    if (!check("nvJitLinkGetLinkedCubinSize", f_.cubinSize(handle_, &size))) return false;
    reply_.cubin.resize(size);
    return check("nvJitLinkGetLinkedCubin", f_.cubin(handle_, reply_.cubin.data()));
  }

 private:
  void takeLog(int (*sizeOf)(Handle, std::size_t *), int (*read)(Handle, char *), std::string &log) {
    std::size_t size = 0;
    if (sizeOf(handle_, &size) != 0 || size == 0) return;
    log.resize(size);
    if (read(handle_, log.data()) != 0) log.clear();
    // Cut off at the terminating NUL, which some versions include in the size.
    log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
  }

  bool check(const char *operation, int status) {
    if (status == 0) return true;
    reply_.status = status;
    reply_.operation = operation;
    return false;
  }

  const JitLinkFunctions &f_;
  LinkReply &reply_;
  Handle handle_ = nullptr;
};

}  // namespace

JitLink::JitLink(std::unique_ptr<JitLinkFunctions> functions) : functions_(std::move(functions)) {}

JitLink::~JitLink() = default;

std::unique_ptr<JitLink> JitLink::open(const std::string &path, std::string &error) {
  const SharedLibrary library(path, {}, error);
  auto functions = std::make_unique<JitLinkFunctions>();
  if (!error.empty() || !resolveAll(library, *functions, error)) return nullptr;
  return std::unique_ptr<JitLink>(new JitLink(std::move(functions)));
}

std::pair<int, int> JitLink::version() const {
  unsigned major = 0;
  unsigned minor = 0;
  functions_->version(&major, &minor);
  return {static_cast<int>(major), static_cast<int>(minor)};
}

LinkReply JitLink::link(const LinkRequest &request) const {
  LinkReply reply;
  LinkSession session(*functions_, reply);
  const bool linked = session.create(request) && session.add(request) && session.complete();
  session.takeLogs();
  if (linked) session.takeCubin();
  return reply;
}

}  // namespace mmptx
