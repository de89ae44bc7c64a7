// The earliest nats-server that is supported does what the fetched one does.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PtxCompiler } from "@mm-ptx/cuda";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FarmCompiler } from "../src/index.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const VERSION = "2.12.8";
const PROGRAM = fileURLToPath(new URL(`../../../.deps/nats-server-${VERSION}/nats-server`, import.meta.url));
const MISSING =
  LACKS ??
  (existsSync(PROGRAM) ? undefined : "not fetched: `npm run setup -- --with nats-earliest` fetches it");

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(MISSING !== undefined)(
  `nats-server ${VERSION}${MISSING === undefined ? "" : ` (${MISSING})`}`,
  () => {
    it("serves a farm, and loses nothing when it is killed", async () => {
      vi.stubEnv("MM_PTX_NATS_SERVER", PROGRAM);
      await using farm = await TestFarm.start();
      expect(farm.server.program).toMatchObject({ path: PROGRAM, version: VERSION });
      await farm.worker();
      const options = { arch: "sm_90", cache: false, workers: 1 } as const;
      const texts = Array.from({ length: 120 }, (_, i) => ptxOf(i));
      await using local = new PtxCompiler(options);
      const expected = (await local.compileAll(texts)).map((each) => each.ok && each.cubin);
      await using compiler = new FarmCompiler({ ...options, servers: farm.servers, local: "never" });
      const found: (Uint8Array | undefined)[] = [];
      for await (const result of compiler.stream(texts)) {
        if (found.length === 0) process.kill(farm.server.pid!, "SIGKILL");
        expect(found[result.index]).toBeUndefined();
        if (result.ok) found[result.index] = result.cubin;
      }
      expect(found).toEqual(expected);
      expect(farm.server.restarts).toBe(1);
    });
  },
);
