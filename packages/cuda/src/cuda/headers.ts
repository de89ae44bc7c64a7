// The header folders that a source can include from without configuration.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchedPlaces, INCLUDE_FOLDERS, pythonPlaces, toolkitPlaces } from "../toolkit/places.js";

/**
 * The folder of `ptx_inject.h`, which the build copies from `@mm-ptx/inject`; the path works from both `src` and
 * `dist`.
 */
const INJECT = fileURLToPath(new URL("../../dist/include", import.meta.url));

/** A header that identifies a folder of CUDA headers, and the folder next to it. */
const PROOF = "cuda_fp16.h";
const BESIDE = "cccl";

/**
 * Our folder, followed by CUDA's folders: those beside the compiler, otherwise the first of toolkits, fetched tools and
 * Python packages that has them.
 *
 * @param compiler the path of the library or program that will read them
 */
export function headerFolders(compiler: string): string[] {
  return [INJECT, ...cudaFolders(compiler)];
}

function cudaFolders(compiler: string): string[] {
  const roots = function* (): Generator<string> {
    // `lib/libnvrtc.so`, `bin/nvcc` and `targets/x86_64-linux/lib/libnvrtc.so`
    for (const up of ["..", "../.."]) yield resolve(dirname(compiler), up);
    for (const places of [toolkitPlaces, fetchedPlaces, pythonPlaces])
      yield* places().map(({ folder }) => folder);
  };
  const folders: string[] = [];
  const find = (inside: string, as: (folder: string) => string): void => {
    for (const root of roots()) {
      const folder = INCLUDE_FOLDERS.map((name) => join(root, name)).find((name) =>
        existsSync(join(name, inside)),
      );
      if (folder === undefined) continue;
      folders.push(as(folder));
      return;
    }
  };
  find(PROOF, (folder) => folder);
  find(BESIDE, (folder) => join(folder, BESIDE));
  return folders;
}
