// A replacement for NVIDIA's driver that reports one GPU.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether the replacement can be built. */
export const CAN_FAKE_DRIVER = spawnSync("cc", ["--version"]).status === 0;

/** The value for `MM_PTX_DRIVER`; `initResult` is what `cuInit` returns. */
export function fakeDriver(
  major: number,
  minor: number,
  initResult = 0,
): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-driver-"));
  const [source, path] = [join(folder, "cuda.c"), join(folder, "cuda.so")];
  writeFileSync(
    source,
    `int cuInit(unsigned f) { return f ? 1 : ${initResult}; }
     int cuDeviceGet(int *d, int i) { *d = 40 + i; return 0; }
     int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? ${major} : a == 76 ? ${minor} : -1; return d == 40 ? 0 : 101; }`,
  );
  execFileSync("cc", ["-shared", "-fPIC", "-o", path, source]);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
