// A run whose process is killed continues from its results store: every program is answered once, and what was stored is not run again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import * as api from "../../src/index.js";
import { KERNEL } from "../support/kernel.js";
import { withFolderLater } from "../support/results.js";
import { factorOf, optionsWith, programs } from "../support/resumable-run.mjs";

const RUN = fileURLToPath(new URL("../support/resumable-run.mjs", import.meta.url));

/** Starts a run and kills it some time after it has stored results. Returns one more than the greatest index that was answered. */
async function killedRun(folder: string, kernel: string): Promise<number> {
  const child = spawn(process.execPath, [RUN, folder, kernel], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const later = Math.floor(Math.random() * 300);
  let answered = 0;
  let since = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    answered = Math.max(answered, Number(line) + 1);
    if (statSync(join(folder, "results.jsonl")).size > 0 && since++ === later) child.kill("SIGKILL");
  }
  await closed;
  return answered;
}

it("answers every program once after a killed process", async () => {
  for (let round = 0; round < smoke(50); round++)
    await withFolderLater(async (folder) => {
      const kernel = join(folder, "kernel.ptx");
      writeFileSync(kernel, KERNEL.text);
      const answered = await killedRun(folder, kernel);
      const stored = readFileSync(join(folder, "results.jsonl"), "latin1").split("\n").length - 1;
      // Ten programs are equal, so at least ten of these programs have no stored result.
      const count = Math.max(answered + 100, 10 * (stored + 10));

      using device = EmulatedDevice.open({});
      using pipeline = new api.KernelPipeline({ ...optionsWith(api, KERNEL.text, folder), device });
      const origins = new Map<string, number>();
      const indices = new Set<number>();
      for await (const { index, status, outputs, from } of pipeline.run(programs(count))) {
        expect(indices.has(index)).toBe(false);
        indices.add(index);
        expect([status, outputs?.[0]?.[39]]).toEqual(["ok", 3 * factorOf(index)]);
        origins.set(from.kind, (origins.get(from.kind) ?? 0) + 1);
      }
      expect(indices.size).toBe(count);
      expect(Math.max(...indices)).toBe(count - 1);
      expect(origins.get("run")).toBeGreaterThanOrEqual(10);
      expect(origins.get("store")).toBeGreaterThanOrEqual(1);
      expect(origins.get("duplicate")).toBeGreaterThanOrEqual(1);
    });
});
