// `inspect`: shows the contents of a cubin, a PTX file or a filled kernel.

import { didYouMean } from "@mm-ptx/types/internal";
import { CubinError } from "../cubin/error.js";
import { type CubinInspection, inspectCubin } from "../cubin/inspect.js";
import { disassembleSass } from "../cubin/sass.js";
import { type CubinView, viewJson, viewText } from "./cubin-view.js";
import { type Outcome, readInput, UsageError } from "./framework.js";
import { inspectPtx } from "./inspect-ptx.js";
import { orProblem } from "./problems.js";

export interface InspectFlags {
  readonly kernel?: string;
  readonly sass?: true;
  readonly lines?: true;
  readonly symbols?: true;
  readonly sections?: true;
}

/** Options that apply only to cubins. */
const CUBIN_FLAGS = ["sass", "lines", "symbols", "sections"] as const;

/** @throws UsageError, ProblemError */
export async function inspect(path: string, flags: InspectFlags): Promise<Outcome> {
  const bytes = await orProblem(path, () => readInput(path, "*.ptx"));
  if (!isElf(bytes)) {
    const flag = CUBIN_FLAGS.find((name) => flags[name]);
    if (flag !== undefined) {
      throw new UsageError(`expected a cubin with \`--${flag}\`, found another kind of file`);
    }
    return inspectPtx(path, bytes, flags.kernel);
  }
  const view = await orProblem(path, () => viewOf(bytes, flags));
  return {
    ok: true,
    json: () => ({ ok: true, file: path, ...viewJson(view, flags) }),
    text: (colors) => viewText(path, view, flags, colors),
  };
}

const isElf = (bytes: Uint8Array): boolean => bytes[0] === 0x7f && bytes[1] === 0x45;

async function viewOf(bytes: Uint8Array, { kernel, sass }: InspectFlags): Promise<CubinView> {
  const found = inspectCubin(bytes);
  return {
    bytes: bytes.length,
    found: kernel === undefined ? found : oneKernel(found, kernel),
    sass: sass ? await disassembleSass(bytes, kernel === undefined ? {} : { kernel }) : undefined,
  };
}

/** Leaves out the other kernels and the device functions inside them. */
function oneKernel(found: CubinInspection, name: string): CubinInspection {
  const kernels = found.kernels.filter((kernel) => kernel.name === name);
  if (kernels.length === 0) {
    const names = found.kernels.map((kernel) => kernel.name);
    throw new CubinError(
      "NOT_FOUND",
      `expected a kernel of the cubin, found \`${name}\`${didYouMean(name, names)}`,
    );
  }
  const others = new Set(found.kernels.map(({ section }) => section));
  for (const { section } of kernels) others.delete(section);
  return { ...found, kernels, functions: found.functions.filter(({ section }) => !others.has(section)) };
}
