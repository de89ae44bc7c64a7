// `inspect` for a PTX file or a filled kernel: shows the PTX version, the target, and the kernels with their
// parameters.

import { PtxError, type PtxModule, readModule } from "@mm-ptx/ptx";
import type { KernelSignature, LineOrigins } from "@mm-ptx/types/core";
import { codeFrameAt, didYouMean, locatedPtx, quoted, withoutFinalNul } from "@mm-ptx/types/internal";
import { kernelsOf } from "../ptx/kernels.js";
import { lineInWords } from "../ptx/refuse.js";
import { filledKernelOf } from "./filled-kernel.js";
import {
  type Colors,
  counted,
  FileError,
  namedFile,
  type Outcome,
  printable,
  shownName,
} from "./framework.js";
import { orProblem } from "./problems.js";
import { table } from "./text.js";

/** @throws ProblemError */
export async function inspectPtx(
  path: string,
  bytes: Uint8Array,
  kernel: string | undefined,
): Promise<Outcome> {
  const { module, kernels } = await orProblem(path, () => readPtx(path, bytes, kernel));
  const { version, target } = module;
  const variables = module.globals.map(({ name, space, type, bytes }) => ({ name, space, type, bytes }));
  return {
    ok: true,
    json: () => ({ ok: true, file: path, version, target, kernels, variables }),
    text: (colors) => moduleText(shownName(path), module, kernels, colors),
  };
}

function readPtx(
  path: string,
  bytes: Uint8Array,
  kernel: string | undefined,
): { module: PtxModule; kernels: readonly KernelSignature[] } {
  const filled = filledKernelOf(path, bytes);
  const origins = filled && locatedPtx(filled);
  const text = withoutFinalNul(
    origins?.text ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
  );
  const other = kindOf(text);
  if (other !== undefined) throw new FileError(`expected a cubin or PTX, found ${namedFile(path)}, ${other}`);
  const module = readLocated(text, origins);
  const kernels = kernelsOf(text);
  if (kernel === undefined) return { module, kernels };
  const found = kernels.filter(({ name }) => name === kernel);
  if (found.length > 0) return { module, kernels: found };
  const names = kernels.map(({ name }) => name);
  throw new FileError(`expected a kernel of the PTX, found ${quoted(kernel)}${didYouMean(kernel, names)}`);
}

/** @throws PtxError, which names the lines of a filled kernel as they were written */
function readLocated(text: string, origins: LineOrigins | undefined): PtxModule {
  try {
    return readModule(text);
  } catch (error) {
    if (!(error instanceof PtxError) || origins === undefined) throw error;
    const { code, problems, total } = error;
    const shown = problems.map(({ line, column, span, message }) => {
      const origin = origins.locate(line);
      const written = origin?.kind === "stub" ? origin.stubLine : (origin?.kernelLine ?? line);
      const frame = codeFrameAt(text, span, { line: written, column });
      return `${lineInWords(line, origins)}, column ${column}: ${message}\n${frame}`;
    });
    if (total > problems.length) shown.push(`and ${total - problems.length} more`);
    throw new PtxError(code, shown.join("\n"), problems, total);
  }
}

const FAT_BINARY = "\x50\xed\x55\xba";

/** What a file that is not PTX is instead; all other problems are left to the parser. */
function kindOf(text: string): string | undefined {
  if (text.startsWith(FAT_BINARY)) return "a fat binary: `cuobjdump -xelf all` extracts its cubins";
  if (text.includes("\0")) return "which is neither";
  return /\.version\b/.test(text) ? undefined : "which has no `.version`";
}

function moduleText(
  name: string,
  { version, target = "no target", globals }: PtxModule,
  kernels: readonly KernelSignature[],
  colors: Colors,
): string {
  const head = `${colors.bold(printable(name))}: PTX ${version} for ${target}, ${counted(kernels.length, "kernel")}\n`;
  const texts = kernels.map(({ name: kernel, parameters }) => {
    const rows = parameters.map(({ name: parameter, type, bytes, align, pointer }) => [
      parameter,
      `.${type}`,
      bytes,
      align,
      pointer?.space ?? "",
    ]);
    const list = rows.length === 0 ? "  no parameters\n" : table(PARAMETER_HEAD, rows, colors);
    return `\n${colors.bold(printable(kernel))}\n${list}`;
  });
  const variables = globals.map(({ name: variable, space, type, bytes }) => [
    variable,
    space,
    `.${type ?? ""}`,
    bytes,
  ]);
  const rest =
    variables.length === 0 ? "" : `\n${table(["variable", "space", "type", "bytes"], variables, colors)}`;
  return head + texts.join("") + rest;
}

const PARAMETER_HEAD = ["parameter", "type", "bytes", "align", "points to"];
