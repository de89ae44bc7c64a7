// Locates the CUDA runtime that programs load in place of NVIDIA's.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmulatorError } from "../error.js";

const LIBRARY = "libcudart.so.13";

/** The folder with `libcudart.so.12` and `libcudart.so.13`. @throws EmulatorError UNSUPPORTED */
export function libraryFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@mm-ptx/emulator-${platform}`;
  const beside = fileURLToPath(new URL(`../../npm/${platform}`, import.meta.url));
  const folder = [installed(name), beside].find(
    (place) => place !== undefined && existsSync(join(place, LIBRARY)),
  );
  if (folder !== undefined) return folder;
  const cure = process.platform === "linux" ? `install ${name}` : "programs run on Linux only";
  throw new EmulatorError("UNSUPPORTED", `expected the emulator's ${LIBRARY}, found none: ${cure}`);
}

function installed(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
