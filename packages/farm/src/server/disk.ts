// Once a nats-server could not write, it takes no more messages until it is restarted, even if there is room
// again.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STEP_MS = 1_000;
/** More than a message. */
const ROOM = 2 ** 20;

/** What nats-server says when it can't write; `undefined` for other output. */
export const writeProblem = (output: string): string | undefined =>
  /^.*\[ERR\] (.*(?:critical write error|no space left on device).*)$/im.exec(output)?.[1];

/** Waits until a folder has room. @param isNeeded whether anybody still waits for it */
export async function waitForRoom(folder: string, isNeeded: () => boolean): Promise<void> {
  while (isNeeded() && !hasRoom(folder))
    await new Promise<void>((resolve) => setTimeout(resolve, STEP_MS).unref());
}

function hasRoom(folder: string): boolean {
  const probe = join(folder, "probe");
  try {
    writeFileSync(probe, Buffer.alloc(ROOM));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}
