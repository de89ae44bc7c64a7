// What `inspect` shows of a cubin, as tables and as JSON.

import type { CubinFunction, CubinInspection, CubinKernel } from "../cubin/inspect.js";
import type { CodeLine } from "../cubin/lines.js";
import type { Dimensions } from "../cubin/needs.js";
import type { SassListing } from "../cubin/sass.js";
import { type Colors, counted, printable, shownName } from "./framework.js";
import { placeText, sassText } from "./sass-text.js";
import { bytesText, table } from "./text.js";

/** An inspected cubin. */
export interface CubinView {
  /** The size of the whole file. */
  readonly bytes: number;
  readonly found: CubinInspection;
  readonly sass: SassListing | undefined;
}

/** What is shown in addition to the kernels, functions and variables. */
export interface ViewFlags {
  readonly lines?: true;
  readonly symbols?: true;
  readonly sections?: true;
}

export function viewText(path: string, view: CubinView, flags: ViewFlags, colors: Colors): string {
  const { found, sass } = view;
  const parts = [
    headText(path, view, colors),
    ...(found.kernels.length === 0 ? [] : [table(KERNEL_HEAD, found.kernels.map(kernelRow), colors)]),
    ...listed(PARAMETER_HEAD, parameterRows(found), colors),
    ...listed(FUNCTION_HEAD, found.functions.map(functionRow), colors),
    ...listed(
      VARIABLE_HEAD,
      found.variables.map(({ name, space, bytes, visible, initial }) => [
        name,
        space,
        bytes,
        yes(visible),
        yes(initial !== undefined),
      ]),
      colors,
    ),
    ...(flags.lines ? listed(LINE_HEAD, lineRows(found), colors) : []),
    ...(flags.symbols
      ? listed(
          SYMBOL_HEAD,
          found.symbols.map(({ name, section = "", offset, bytes }) => [name, section, offset, bytes]),
          colors,
        )
      : []),
    ...(flags.sections
      ? listed(
          SECTION_HEAD,
          found.sections.map(({ name, offset, size }) => [name, offset, size]),
          colors,
        )
      : []),
    ...(sass === undefined ? [] : sass.functions.map((code) => sassText(code, found, colors))),
  ];
  return parts.join("\n");
}

function headText(path: string, { bytes, found }: CubinView, colors: Colors): string {
  const { arch, toolkit, ptxTarget, relocatable, kernels } = found;
  const words = [
    arch,
    ...(toolkit === undefined ? [] : [`CUDA ${toolkit}`]),
    ...(ptxTarget === undefined ? [] : [`from PTX for ${ptxTarget}`]),
    ...(relocatable ? ["relocatable"] : []),
    counted(kernels.length, "kernel"),
    bytesText(bytes),
  ];
  return `${colors.bold(printable(shownName(path)))}: ${printable(words.join(", "))}\n`;
}

/** A list with the table, or an empty list if the table has no rows. */
function listed(head: readonly string[], rows: Parameters<typeof table>[1], colors: Colors): string[] {
  return rows.length === 0 ? [] : [table(head, rows, colors)];
}

const KERNEL_HEAD = [
  "kernel",
  "code",
  "registers",
  "stack",
  "local",
  "shared",
  "constant",
  "barriers",
  "threads",
];
const PARAMETER_HEAD = ["parameter of", "number", "offset", "bytes"];
const FUNCTION_HEAD = ["function", "section", "code", "registers", "stack"];
const VARIABLE_HEAD = ["variable", "space", "bytes", "visible", "initialized"];
const LINE_HEAD = ["code of", "offset", "line", "PTX line"];
const SYMBOL_HEAD = ["symbol", "section", "offset", "bytes"];
const SECTION_HEAD = ["section", "offset", "bytes"];

const yes = (is: boolean): string => (is ? "yes" : "no");

function kernelRow(kernel: CubinKernel): (number | string | undefined)[] {
  const { name, code, registers, stackFrame, localBytes, sharedBytes, constantBytes, barriers } = kernel;
  return [
    name,
    code.length,
    registers,
    stackFrame,
    localBytes,
    sharedBytes,
    constantBytes,
    barriers,
    threadsText(kernel),
  ];
}

/** `at most 256 x 1 x 1`, or `32 x 4 x 1` if the kernel requires blocks of exactly this size. */
function threadsText({ maxThreads, requiredThreads }: CubinKernel): string {
  const text = (sizes: Dimensions): string => sizes.join(" x ");
  if (requiredThreads !== undefined) return text(requiredThreads);
  return maxThreads === undefined ? "" : `at most ${text(maxThreads)}`;
}

function parameterRows({ kernels }: CubinInspection): (number | string)[][] {
  return kernels.flatMap(({ name, parameters }) =>
    parameters.map(({ offset, bytes }, number) => [name, number, offset, bytes]),
  );
}

function functionRow({
  name,
  section,
  code,
  registers,
  stackFrame,
}: CubinFunction): (number | string | undefined)[] {
  return [name, section, code.length, registers, stackFrame];
}

/** A row for each offset that appears in either of the two line tables. */
function lineRows({ kernels, functions }: CubinInspection): (number | string)[][] {
  const bySection = new Map([...functions, ...kernels].map((code) => [code.section, code]));
  return [...bySection.values()].flatMap(({ section, lines, ptxLines }) => {
    const source = new Map(lines.map((line) => [line.offset, line]));
    const ptx = new Map(ptxLines.map((line) => [line.offset, line]));
    const offsets = [...new Set([...source.keys(), ...ptx.keys()])].sort((a, b) => a - b);
    const text = (line: CodeLine | undefined): string => (line === undefined ? "" : placeText(line));
    return offsets.map((offset) => [section, offset, text(source.get(offset)), text(ptx.get(offset))]);
  });
}

export function viewJson({ bytes, found, sass }: CubinView, flags: ViewFlags): object {
  const { kernels, functions, variables, symbols, sections, ptx: _, ...rest } = found;
  const code = ({ code: { length }, lines, ptxLines, ...needs }: CubinFunction) => ({
    ...needs,
    bytes: length,
    ...(flags.lines ? { lines, ptxLines } : {}),
  });
  return {
    bytes,
    ...rest,
    kernels: kernels.map(code),
    functions: functions.map(code),
    variables: variables.map(({ initial, ...variable }) => ({
      ...variable,
      ...(initial === undefined ? {} : { initial: Buffer.from(initial).toString("hex") }),
    })),
    ...(flags.symbols ? { symbols } : {}),
    ...(flags.sections ? { sections: sections.map(({ bytes: __, ...section }) => section) } : {}),
    ...(sass === undefined ? {} : { sass: sass.functions }),
  };
}
