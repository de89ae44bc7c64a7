// A disk that is full: the run ends with an error, loses nothing, and goes on when there is space.
import { readdirSync, writeSync } from "node:fs";
import { expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import type { Disk } from "../../src/node/disk.js";
import { resumeRun } from "../../src/node/index.js";
import { openOn } from "../../src/node/open.js";
import { hashAfter, hashOf, runFor, withFolder, wordSearch } from "../support/recorded.js";

const BATCHES = 12;

/** A disk with room for some bytes, on which a write that does not fit writes what fits. */
function diskOf(room: { free: number }): Disk {
  return {
    write: (file, buffer, offset, length, position) => {
      if (room.free === 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const count = writeSync(file, buffer, offset, Math.min(length, room.free), position);
      room.free -= count;
      return count;
    },
  };
}

const full = expect.objectContaining({
  name: "SearchError",
  code: "RECORD",
  message: expect.stringMatching(/^can't write the run `.*`: ENOSPC: no space left on device, write$/),
});

const search = () => wordSearch({ dedupe: false });

it("an error says so, and the run goes on when there is space, in this process or the next", async () => {
  const expected = await hashAfter(BATCHES, search());
  const unlimited = { free: Number.MAX_SAFE_INTEGER };
  await withFolder(async (folder) => {
    using run = await openOn(diskOf(unlimited), folder, search(), { snapshotSeconds: 1e-9 });
    await runFor(run, BATCHES);
  });
  const needed = Number.MAX_SAFE_INTEGER - unlimited.free;
  const places = cases(100);
  for (let place = 0; place < places; place++) {
    await withFolder(async (folder) => {
      const room = { free: Math.floor((needed * place) / places) };
      const same = search();
      const failure = await (async () => {
        using run = await openOn(diskOf(room), folder, same, { snapshotSeconds: 1e-9 });
        await expect(runFor(run, BATCHES)).rejects.toThrow(full);
        room.free = Number.MAX_SAFE_INTEGER;
        // Half of the cases go on in the same process.
        if (place % 2 === 0) {
          if (same.batches < BATCHES) await runFor(run, BATCHES - same.batches);
          expect(hashOf(same)).toBe(expected);
        }
        return undefined;
      })().catch((error: unknown) => error);
      if (failure !== undefined) {
        expect(failure).toEqual(full);
        expect(readdirSync(folder)).toEqual([]);
        return;
      }
      expect(readdirSync(folder).some((name) => name.endsWith(".new"))).toBe(false);
      const next = search();
      using run = await resumeRun(folder, next);
      if (next.batches < BATCHES) await runFor(run, BATCHES - next.batches);
      expect(hashOf(next)).toBe(expected);
    });
  }
});
