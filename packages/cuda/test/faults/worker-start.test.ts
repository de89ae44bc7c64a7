// Workers that do not start: whose time it is, and what the jobs come to.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { CAN_REPLACE, NativeFolder } from "../support/native-folder.js";
import { module } from "../support/ptx.js";

const folders: NativeFolder[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});
afterEach(() => vi.unstubAllEnvs());

function nativeFolder(): NativeFolder {
  const folder = new NativeFolder();
  folders.push(folder);
  vi.stubEnv("MM_PTX_NATIVE_DIR", folder.path);
  return folder;
}

const compiler = (options: Partial<PtxCompilerOptions> = {}): PtxCompiler =>
  new PtxCompiler({ arch: "sm_80", backend: "isolated", workers: 1, cache: false, ...options });

const CRASHER = readFileSync(
  new URL("../ptx/crashers/undeclared-func-directive.sm_80.ptx", import.meta.url),
  "utf8",
);

/** Refuses the worker's thread as often as the file `refusals` has bytes. */
const REFUSING = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data) {
  struct stat left;
  if (stat(REFUSALS, &left) == 0 && left.st_size > 0) {
    truncate(REFUSALS, left.st_size - 1);
    return EAGAIN;
  }
  return ((create *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attr, start, data);
}
`;

describe.runIf(CAN_REPLACE)("a worker that does not start", () => {
  it("ends the compile at its time limit, with an error that says what took the time", async () => {
    nativeFolder().worker("int main() { sleep(100); }");
    using slow = compiler({ timeoutMs: 1200 });
    await expect(slow.compile(module())).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "expected the compiler's process to start within 1200 ms, found none that had started",
    });
    expect(() => slow.compileSync(module(), { timeoutMs: 1 })).toThrow(/to start within 1000 ms/);
  });

  it("does not keep a call that was aborted, or disposal", async () => {
    nativeFolder().worker("int main() { sleep(100); }");
    await using slow = compiler();
    const aborted = slow.compile(module(), { signal: AbortSignal.timeout(50) });
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("is started again if it lacked a thread, and the job compiles", async () => {
    const folder = nativeFolder();
    const refusals = join(folder.path, "refusals");
    const library = folder.library("refusing.so", `#define REFUSALS "${refusals}"\n${REFUSING}`);
    vi.stubEnv("LD_PRELOAD", library);
    using few = compiler();
    writeFileSync(refusals, "...");
    expect((await few.compile(module())).cubin.length).toBeGreaterThan(0);
    expect(few.stats).toMatchObject({ workersStarted: 1, workersCrashed: 0 });
    writeFileSync(refusals, ".".repeat(100));
    using none = compiler();
    await expect(none.compile(module())).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("no thread could be started"),
    });
  });
});

describe.runIf(CAN_REPLACE)("a worker that dies at its start", () => {
  /** Ends the worker as often as the file `deaths` has bytes. */
  const DYING = `#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
extern char *program_invocation_short_name;
__attribute__((constructor)) static void die(void) {
  struct stat left;
  if (strcmp(program_invocation_short_name, "mmptx-worker") != 0) return;
  if (stat(DEATHS, &left) != 0 || left.st_size == 0) return;
  truncate(DEATHS, left.st_size - 1);
  raise(left.st_size % 2 == 0 ? SIGABRT : SIGSEGV);
}
`;

  it("is started again, since no job is to blame, but not without end", async () => {
    const folder = nativeFolder();
    const deaths = join(folder.path, "deaths");
    const library = folder.library("dying.so", `#define _GNU_SOURCE\n#define DEATHS "${deaths}"\n${DYING}`);
    vi.stubEnv("LD_PRELOAD", library);
    using few = compiler();
    writeFileSync(deaths, "....");
    expect((await few.compile(module())).cubin.length).toBeGreaterThan(0);
    expect(few.stats).toMatchObject({ workersStarted: 1, workersCrashed: 0 });
    using all = compiler();
    writeFileSync(deaths, ".".repeat(10_000));
    await expect(all.compile(module())).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("the worker died at its start"),
    });
  });
});

describe.runIf(CAN_REPLACE)("a worker that can't be confined", () => {
  /** Makes the filter impossible. */
  const UNFILTERED = `#include <errno.h>
#include <sys/prctl.h>
__attribute__((visibility("default"))) int prctl(int option, ...) {
  errno = EINVAL;
  return option == PR_SET_NO_NEW_PRIVS ? -1 : 0;
}
`;

  it("compiles nothing where others could be, and can again", async () => {
    const folder = nativeFolder();
    const flag = join(folder.path, "flag");
    const library = `#include <sys/syscall.h>\n#include <unistd.h>\n${UNFILTERED.replace("option ==", `access("${flag}", F_OK) == 0 && option ==`)}`;
    // The functions that it replaces do nothing else that a worker needs.
    vi.stubEnv(
      "LD_PRELOAD",
      folder.library(
        "sometimes.so",
        library.replace("? -1 : 0", "? -1 : syscall(SYS_prctl, option, 1, 0, 0, 0)"),
      ),
    );
    using auto = compiler();
    const crash = (): Promise<unknown> => auto.compile(CRASHER).catch(({ code }: { code: string }) => code);
    expect(await crash()).toBe("CRASHED");
    writeFileSync(flag, "");
    await expect(auto.compile(module(), { timeoutMs: 50 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    rmSync(flag);
    expect((await auto.compile(module())).cubin.length).toBeGreaterThan(0);
  });

  it("compiles without, unless confinement is required", async () => {
    const folder = nativeFolder();
    vi.stubEnv("LD_PRELOAD", folder.library("unfiltered.so", UNFILTERED));
    using auto = compiler();
    expect((await auto.compile(module())).cubin.length).toBeGreaterThan(0);
    const problem = expect.stringContaining("prctl: Invalid argument");
    expect(auto.capabilities().confinement).toEqual({ available: false, problem });
    expect(() => compiler({ confine: "required" })).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", what: "confinement", message: problem }),
    );
  });
});
