// The compiler library through its C interface.
#include "library.h"

#include <cstring>
#include <thread>
#include <vector>

#include "check.h"
#include "compiler.h"

using mmptx::Library;
using mmptx::openLibrary;

namespace {

const Library &library() {
  std::string error;
  const Library *opened = openLibrary(libraryPath(), error);
  if (opened == nullptr) throw std::runtime_error(error);
  return *opened;
}

// A result that frees what it holds.
struct Result : mmptxc_result {
  Result() : mmptxc_result{} {}
  Result(const Result &) = delete;
  Result &operator=(const Result &) = delete;
  ~Result() { library().release(this); }
};

constexpr const char *kArguments = "--gpu-name=sm_90 --opt-level=3";

int32_t compile(const std::string &ptx, Result &result, const char *arguments = kArguments,
                const volatile int32_t *cancel = nullptr) {
  return library().compile(ptx.data(), ptx.size(), arguments, cancel, &result);
}

}  // namespace

TEST("library: reports its version and the PTX versions that it accepts") {
  EXPECT(library().version().size() >= 6);
  const auto versions = library().ptxVersions();
  EXPECT(versions.size() > 10);
  EXPECT(std::is_sorted(versions.begin(), versions.end()) && versions.front().first > 0);
  std::string error;
  EXPECT(openLibrary("/nowhere/libmmptxc.so", error) == nullptr && !error.empty());
  error.clear();
  EXPECT(openLibrary("libm.so.6", error) == nullptr);
  EXPECT_EQUAL(error, std::string("the library has no function mmptxc_abi"));
}

TEST("library: compiles, or says why it could not") {
  Result made;
  EXPECT_EQUAL(compile(module("k"), made), static_cast<int32_t>(MMPTXC_OK));
  EXPECT(made.cubin_size > 500 && std::memcmp(made.cubin, "\177ELF", 4) == 0);
  EXPECT(std::strstr(made.info_log, "Compiling entry function 'k'") != nullptr);
  EXPECT_EQUAL(std::strlen(made.info_log), made.info_log_size);
  EXPECT_EQUAL(made.error_log_size, 0u);

  Result failed;
  EXPECT_EQUAL(compile(module("k", "\tmadd.s32 %a, %b;\n"), failed), static_cast<int32_t>(MMPTXC_FAILED));
  EXPECT(failed.cubin == nullptr && failed.cubin_size == 0);
  EXPECT(std::strstr(failed.error_log, "fatal") != nullptr);

  Result newer;
  std::string text = module("k");
  text.replace(text.find("8.0"), 3, "9.9");
  EXPECT_EQUAL(compile(text, newer), static_cast<int32_t>(MMPTXC_UNSUPPORTED_VERSION));
  Result empty;
  EXPECT(compile("", empty) != MMPTXC_OK);
}

TEST("library: never calls the compiler with arguments that are not on its list") {
  std::vector<std::string> refused = {
      "",
      "--opt-level=3",
      "--gpu-name=sm_90 --gpu-name=sm_80",
      "--gpu-name=sm_90  --opt-level=3",
      "--gpu-name=sm_90 ",
      " --gpu-name=sm_90",
      "--gpu-name=sm_90 --help",
      "--gpu-name=sm_90\t--help",
      "--gpu-name=sm_90\n",
      "--gpu-name=sm_90 --options-file=/etc/hostname",
      "--gpu-name=sm_90 --output-file=out",
      "--gpu-name=sm_90 --version",
      "--gpu-name=sm_90 --opt-level",
      "--gpu-name=sm_90 --opt-level=",
      "--gpu-name=sm_90 --opt-level=4",
      "--gpu-name=sm_90 --opt-level=-1",
      "--gpu-name=sm_90 --opt-level=0x1",
      "--gpu-name=sm_90 --maxrregcount=0",
      "--gpu-name=sm_90 --maxrregcount=256",
      "--gpu-name=sm_90 --maxrregcount=4294967297",
      "--gpu-name=sm_90 --fmad",
      "--gpu-name=sm_90 --fmad=",
      "--gpu-name=sm_90 --fmad=tru",
      "--gpu-name=sm_90 --fmad=true false",
      "--gpu-name=sm_90 --device-debug=true",
      "--gpu-name=sm_90 --device-debu",
      "--gpu-name=sm_90 --device-debugs",
      "--gpu-name=sm_90 " + std::string(MMPTXC_ARGUMENTS_SIZE, '-'),
  };
  for (const char *arch : {"", "sm_", "sm_9", "compute_90", "sm_90,sm_80", "sm_9999999999999"}) {
    refused.push_back(std::string("--gpu-name=") + arch);
  }
  for (const std::string &arguments : refused) {
    Result result;
    EXPECT_EQUAL(compile(module("k"), result, arguments.c_str()), static_cast<int32_t>(MMPTXC_INVALID_ARGUMENT));
    EXPECT(result.info_log != nullptr && result.error_log != nullptr);
  }
  Result result;
  EXPECT_EQUAL(compile(module("k"), result, nullptr), static_cast<int32_t>(MMPTXC_INVALID_ARGUMENT));
}

TEST("library: the compiler accepts every argument on the list") {
  const char *arguments[] = {
      "--opt-level=0", "--opt-level=1", "--opt-level=2", "--opt-level=3",
      "--Ofast-compile=0", "--Ofast-compile=min", "--Ofast-compile=mid", "--Ofast-compile=max",
      "--allow-expensive-optimizations=true", "--allow-expensive-optimizations=false",
      "--compile-only",
      "--def-load-cache=ca", "--def-load-cache=cg", "--def-load-cache=cs", "--def-load-cache=lu", "--def-load-cache=cv",
      "--def-store-cache=wb", "--def-store-cache=cg", "--def-store-cache=cs", "--def-store-cache=wt",
      "--device-debug",
      "--device-stack-protector=true", "--device-stack-protector=false",
      "--disable-optimizer-constants", "--dont-merge-basicblocks", "--extensible-whole-program",
      "--fmad=true", "--fmad=false",
      "--force-load-cache=ca", "--force-load-cache=cg", "--force-load-cache=cs", "--force-load-cache=lu",
      "--force-load-cache=cv",
      "--force-store-cache=wb", "--force-store-cache=cg", "--force-store-cache=cs", "--force-store-cache=wt",
      "--generate-line-info", "--make-errors-visible-at-exit",
      "--maxntid=1", "--maxntid=1024", "--maxrregcount=1", "--maxrregcount=255", "--minnctapersm=1",
      "--minnctapersm=32",
      "--optimize-float-atomics", "--override-directive-values",
      "--position-independent-code=true", "--position-independent-code=false",
      "--preserve-relocs", "--register-usage-level=0", "--register-usage-level=10",
      "--return-at-end", "--sp-bounds-check", "--split-compile=0", "--split-compile=2",
      "--warn-on-double-precision-use", "--warn-on-local-memory-usage", "--warn-on-spills",
  };
  for (const char *argument : arguments) {
    Result result;
    const std::string all = std::string("--gpu-name=sm_80 ") + argument;
    EXPECT_EQUAL(compile(module("k"), result, all.c_str()), static_cast<int32_t>(MMPTXC_OK));
  }
}

TEST("library: arguments can be combined") {
  for (const char *effort : {"--opt-level=3", "--opt-level=1", "--Ofast-compile=max", "--opt-level=0 --device-debug"}) {
    for (const char *others : {"", " --maxrregcount=32", " --maxrregcount=32 --generate-line-info --fmad=false"}) {
      Result result;
      const std::string all = std::string("--gpu-name=sm_80 ") + effort + others;
      EXPECT_EQUAL(compile(module("k"), result, all.c_str()), static_cast<int32_t>(MMPTXC_OK));
    }
  }
}

TEST("library: a cancelled compile says so") {
  const int32_t cancel = 1;
  Result result;
  EXPECT_EQUAL(compile(module("k"), result, kArguments, &cancel), static_cast<int32_t>(MMPTXC_CANCELLED));
  EXPECT(result.cubin == nullptr);
}

TEST("library: released twice, a result is empty") {
  mmptxc_result result{};
  const std::string ptx = module("k");
  library().compile(ptx.data(), ptx.size(), kArguments, nullptr, &result);
  library().release(&result);
  EXPECT(result.cubin == nullptr && result.info_log == nullptr && result.cubin_size == 0);
  library().release(&result);
}

TEST("library: the same bytes on every thread") {
  Result expected;
  compile(module("k"), expected);
  std::vector<std::thread> threads;
  const std::size_t each = check::cases(200);
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&expected, each] {
      for (std::size_t round = 0; round < each; round++) {
        Result found;
        EXPECT_EQUAL(compile(module("k"), found), static_cast<int32_t>(MMPTXC_OK));
        EXPECT_EQUAL(found.cubin_size, expected.cubin_size);
        EXPECT(std::memcmp(found.cubin, expected.cubin, expected.cubin_size) == 0);
        Result failed;
        compile(module("k", "\tbra nowhere;\n"), failed);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
}
