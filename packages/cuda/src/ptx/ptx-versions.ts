// The PTX ISA versions that NVIDIA's tools accept which have no list of them: their error about a version names the newest one,
// and all earlier ones are accepted.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PTX_VERSIONS } from "@mm-ptx/ptx";
import { fileIdentity } from "../toolkit/find.js";
import { inTemporaryFolderAtOnce, runProgram } from "../toolkit/process.js";

const TIMEOUT_MS = 20_000;
const UNKNOWN_VERSION = ".version 99.9\n.target sm_75\n";

/** All versions to this one, oldest first. */
export function versionsUpTo(newest: string): readonly string[] {
  const at = PTX_VERSIONS.indexOf(newest);
  // A version that is newer than our list of them.
  return at === -1 ? [...PTX_VERSIONS, newest] : PTX_VERSIONS.slice(0, at + 1);
}

/** Cached, because a query blocks the event loop for 10 ms or more. */
const known = new Map<string, readonly string[]>();

/** The versions that an assembler accepts; empty if it does not say. */
export function ptxVersionsOf(ptxas: string): readonly string[] {
  const key = JSON.stringify(fileIdentity(ptxas));
  let versions = known.get(key);
  if (versions === undefined) {
    versions = askVersions(ptxas);
    known.set(key, versions);
  }
  return versions;
}

function askVersions(ptxas: string): readonly string[] {
  try {
    return inTemporaryFolderAtOnce((folder) => {
      const input = join(folder, "in.ptx");
      writeFileSync(input, UNKNOWN_VERSION);
      const { log } = runProgram(ptxas, [input, "-o", join(folder, "out.cubin")], TIMEOUT_MS);
      const newest = /current version is '(\d+\.\d+)'/.exec(log)?.[1];
      return newest === undefined ? [] : versionsUpTo(newest);
    });
  } catch {
    return [];
  }
}
