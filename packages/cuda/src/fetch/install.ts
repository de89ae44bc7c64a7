// Verifies a wheel and unpacks what is used of it into its place, completely or not at all.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { FetchProblem } from "./problem.js";
import type { Wheel } from "./wheel.js";

const LICENSE_NAME = /^licen[sc]e/i;
const LICENSE = /^[^/]+\.dist-info\/(?:licenses\/)?(licen[sc]e[^/]*)$/i;
/** The folders of a process that was killed while it unpacked. */
const UNFINISHED = ".unfinished-";
const LONGEST_MS = 600_000;

/** What was unpacked. */
export interface Installed {
  readonly library: string;
  /** The file with the license, beside the library's folder. */
  readonly license: string | undefined;
  readonly licenseText: string;
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** @throws FetchProblem when it is another wheel or damaged */
export function install(wheel: Wheel, bytes: Uint8Array, folder: string): Installed {
  const hash = sha256Of(bytes);
  if (hash !== wheel.sha256) {
    throw new FetchProblem(
      `expected ${wheel.file} with SHA-256 ${wheel.sha256}, found ${hash}: it is another file, or damaged`,
    );
  }
  const content = `${wheel.inside}/${wheel.library}`;
  const files = Object.entries(
    unzipSync(bytes, { filter: ({ name }) => name === content || LICENSE.test(name) }),
  );
  const library = files.find(([name]) => name === content)?.[1];
  if (library === undefined) throw new FetchProblem(`expected ${wheel.file} to hold ${wheel.library}`);
  const found = files.find(([name]) => name !== content);
  const license = found === undefined ? undefined : LICENSE.exec(found[0])![1]!;
  removeUnfinished(folder);
  const temporary = `${folder}${UNFINISHED}${process.pid}`;
  try {
    const path = join(temporary, wheel.library);
    // Only this user may write to what is loaded later.
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(path, library, { mode: 0o644 });
    if (wheel.isProgram) chmodSync(path, 0o755);
    if (license !== undefined) writeFileSync(join(temporary, license), found![1], { mode: 0o644 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return {
    library: join(folder, wheel.library),
    license: license === undefined ? undefined : join(folder, license),
    licenseText: found === undefined ? "" : Buffer.from(found[1]).toString("utf8"),
  };
}

/** The license in a folder that was unpacked before. */
export function licenseIn(folder: string): string | undefined {
  const name = readdirSync(folder).find((each) => LICENSE_NAME.test(each));
  return name === undefined ? undefined : join(folder, name);
}

function removeUnfinished(folder: string): void {
  const [parent, prefix] = [dirname(folder), `${basename(folder)}${UNFINISHED}`];
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const status = statSync(path, { throwIfNoEntry: false });
    const isOld = status !== undefined && Date.now() - status.mtimeMs > LONGEST_MS;
    if (isOld || name === `${prefix}${process.pid}`) rmSync(path, { recursive: true, force: true });
  }
}
