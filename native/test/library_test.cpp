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

int32_t compile(const std::string &ptx, Result &result, const char *arch = "sm_90", int32_t effort = 0,
                int32_t registers = 0, uint32_t flags = 0, const volatile int32_t *cancel = nullptr) {
  const mmptxc_options options{arch, effort, registers, flags};
  return library().compile(ptx.data(), ptx.size(), &options, cancel, &result);
}

}  // namespace

TEST("library: says its version and the PTX versions it takes") {
  EXPECT(std::strlen(library().version()) >= 6);
  const std::size_t count = library().ptxVersions(nullptr, 0);
  EXPECT(count > 10);
  int32_t two[3][2] = {{0, 0}, {0, 0}, {-1, -1}};
  EXPECT_EQUAL(library().ptxVersions(two, 2), count);
  EXPECT(two[0][0] > 0 && two[1][0] > 0);
  EXPECT_EQUAL(two[2][0], -1);
  std::string error;
  EXPECT(openLibrary("/nowhere/libmmptxc.so", error) == nullptr && !error.empty());
  error.clear();
  EXPECT(openLibrary("libm.so.6", error) == nullptr);
  EXPECT_EQUAL(error, std::string("the library has no function mmptxc_abi"));
}

TEST("library: compiles, or says why not") {
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

TEST("library: asks the compiler nothing with options outside of their range") {
  const char *arches[] = {nullptr, "", "sm_", "sm_9", "compute_90", "sm_90 --help", "sm_90\n", "sm_9999999999999"};
  for (const char *arch : arches) {
    Result result;
    EXPECT_EQUAL(compile(module("k"), result, arch), static_cast<int32_t>(MMPTXC_INVALID_OPTION));
    EXPECT(result.info_log != nullptr && result.error_log != nullptr);
  }
  for (const int32_t effort : {-1, 3}) {
    Result result;
    EXPECT_EQUAL(compile(module("k"), result, "sm_90", effort), static_cast<int32_t>(MMPTXC_INVALID_OPTION));
  }
  for (const int32_t registers : {-1, 256}) {
    Result result;
    EXPECT_EQUAL(compile(module("k"), result, "sm_90", 0, registers), static_cast<int32_t>(MMPTXC_INVALID_OPTION));
  }
  Result result;
  EXPECT_EQUAL(compile(module("k"), result, "sm_90", 0, 0, 8), static_cast<int32_t>(MMPTXC_INVALID_OPTION));
}

TEST("library: every effort and flag compiles") {
  for (int32_t effort = 0; effort < 3; effort++) {
    for (uint32_t flags = 0; flags < 8; flags++) {
      Result result;
      EXPECT_EQUAL(compile(module("k"), result, "sm_80", effort, 32, flags), static_cast<int32_t>(MMPTXC_OK));
    }
  }
}

TEST("library: a compile that was told to stop says so") {
  const int32_t cancel = 1;
  Result result;
  EXPECT_EQUAL(compile(module("k"), result, "sm_90", 0, 0, 0, &cancel), static_cast<int32_t>(MMPTXC_CANCELLED));
  EXPECT(result.cubin == nullptr);
}

TEST("library: released twice, a result is empty") {
  mmptxc_result result{};
  const mmptxc_options options{"sm_90", 0, 0, 0};
  const std::string ptx = module("k");
  library().compile(ptx.data(), ptx.size(), &options, nullptr, &result);
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
