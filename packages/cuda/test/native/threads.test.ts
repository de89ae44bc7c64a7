// A process that cannot start more threads: jobs continue on the existing ones, and the limits are reported.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IN_PROCESS } from "../support/backends.js";
import { module } from "../support/ptx.js";

/** Makes the creation of the addon's threads fail from the given one on; all other threads are created. */
const REFUSING = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data) {
  static int count;
  Dl_info info;
  const char *from = getenv("REFUSE_FROM");
  if (from && dladdr((void *)start, &info) && info.dli_fname && strstr(info.dli_fname, "mmptx.node") &&
      __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) >= atoi(from))
    return EAGAIN;
  return ((create *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attr, start, data);
}
`;

const compiles = (() => {
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(IN_PROCESS && compiles)("a process that cannot start more threads", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
    writeFileSync(join(folder, "refusing.c"), REFUSING);
    const library = join(folder, "refusing.so");
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(folder, "refusing.c"), "-ldl"]);
    writeFileSync(join(folder, "module.ptx"), module());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const entry = new URL("../../dist/index.js", import.meta.url).href;
  const run = (from: number, source: string) => {
    const file = join(folder, "run.mjs");
    const head = `import { readFileSync } from "node:fs"; import { PtxCompiler } from "${entry}";
const ptx = readFileSync("module.ptx", "utf8"), compiler = new PtxCompiler({ cache: false, arch: "sm_90", backend: "in-process", workers: 2 });
const code = (job) => job.then(() => "ok", (error) => error.code);\n`;
    writeFileSync(file, head + source);
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], {
      cwd: folder,
      encoding: "utf8",
      timeout: 50_000,
      killSignal: "SIGKILL",
      env: {
        ...process.env,
        LD_PRELOAD: join(folder, "refusing.so"),
        REFUSE_FROM: `${from}`,
        MM_PTX_NATIVE_DIR: fileURLToPath(new URL("../../npm/linux-x64", import.meta.url)),
      },
    });
    return { status, signal, stdout, stderr };
  };
  const done = (stdout: string) => ({ status: 0, signal: null, stdout, stderr: "" });

  test("compiles many jobs on the one worker that started", () => {
    const source =
      "console.log((await compiler.compileAll(Array(40).fill(ptx))).filter(({ ok }) => ok).length);";
    expect(run(2, source)).toEqual(done("40\n"));
  });

  test("reports that no thread can enforce a timeout, and compiles without one", () => {
    const source =
      "console.log(await code(compiler.compile(ptx)), await code(compiler.compile(ptx, { timeoutMs: 1000 })), await code(compiler.compile(ptx)));";
    expect(run(2, source)).toEqual(done("ok INTERNAL ok\n"));
  });

  test("reports that no worker can start", () => {
    expect(run(1, "console.log(await code(compiler.compile(ptx)));")).toEqual(done("INTERNAL\n"));
  });
});
