// The main job on a farm: the PTX and the cubins are those of a run without one.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { LACKS } from "../packages/farm/test/support/farm.js";
import { MAIN, outputFolders } from "./support/main-job.js";

const folder = outputFolders();
const execute = promisify(execFile);

it.skipIf(LACKS !== undefined)(
  `writes the same files on a farm as without one${LACKS === undefined ? "" : ` (${LACKS})`}`,
  async () => {
    const [alone, farmed] = [folder(), folder()];
    const words = [MAIN, "--programs", "10", "--keep", "--no-cache", "--run", "none"];
    await execute(process.execPath, [...words, "--out", alone]);
    const { stdout } = await execute(process.execPath, [...words, "--farm", "--json", "--out", farmed]);
    expect(JSON.parse(stdout)).toMatchObject({
      compiled: 10,
      failed: 0,
      compiler: expect.stringContaining("(farm)"),
    });
    const kept = readdirSync(alone).filter((name) => /^\d+\.(ptx|cubin)$/.test(name));
    expect(kept).toHaveLength(20);
    for (const name of kept)
      expect(readFileSync(join(farmed, name))).toEqual(readFileSync(join(alone, name)));
  },
);
