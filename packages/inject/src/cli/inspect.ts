// `inspect`: the injections of a PTX file as tables of their operands and sites.

import type { Injection } from "../injection.js";
import type { OperandValues } from "../kernel.js";
import { type Colors, columns, counted, type Outcome, printable } from "./framework.js";
import { type PtxOptions, readPtx } from "./ptx-file.js";

export type InspectOptions = PtxOptions;

/** @throws DescriptionError, FileError, ProblemsError */
export async function inspect(path: string, options: InspectOptions): Promise<Outcome> {
  const { annotated } = await readPtx(path, options);
  const { injections } = annotated;
  return {
    ok: true,
    json: () => ({ ok: true, file: path, injections: injections.map(injectionJson) }),
    text: (colors) => {
      const sites = injections.reduce((sum, injection) => sum + injection.sites.length, 0);
      const head = `${colors.bold(printable(path))}: ${counted(injections.length, "injection")}, ${counted(sites, "site")}\n`;
      return [head, ...injections.map((injection) => injectionText(injection, colors))].join("\n");
    },
  };
}

function injectionJson({ name, index, operands, sites }: Injection): object {
  return {
    name,
    index,
    operands,
    sites: sites.map(({ line, functionName, values }) => ({
      line,
      function: functionName ?? null,
      values: values.map(({ movedIn, movedOut }) => ({ in: movedIn ?? null, out: movedOut ?? null })),
    })),
  };
}

const OPERAND_HEAD = ["operand", "direction", "type", "register", "PTX type"];

function injectionText({ name, operands, sites }: Injection, colors: Colors): string {
  const rows = operands.map((operand) => [
    operand.name,
    operand.direction,
    operand.type,
    `%${operand.register}`,
    `.${operand.registerType}`,
  ]);
  const places = sites.map(({ line, functionName = "", values }) => [
    `${line}`,
    functionName,
    ...values.map(valueText),
  ]);
  const siteHead = ["line", "function", ...operands.map(({ name: operand }) => operand)];
  return [
    `${colors.bold(printable(name))}\n`,
    rows.length === 0 ? "  no operands\n" : table(OPERAND_HEAD, rows, colors),
    "\n",
    table(siteHead, places, colors),
  ].join("");
}

/** `%f1` for an input, `%f1 -> %f2` for a value that is both read and written, `-> %f2` for an output. */
function valueText({ movedIn, movedOut }: OperandValues): string {
  if (movedIn === undefined) return movedOut === undefined ? "" : `-> ${movedOut}`;
  return movedOut === undefined ? movedIn : `${movedIn} -> ${movedOut}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[], colors: Colors): string {
  const [header = "", ...lines] = columns([head, ...rows].map((row) => row.map(cell)));
  return `  ${colors.dim(header)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Always a single line, whatever an operand's name contains. */
const cell = (text: string): string => printable(text).replace(/[\t\n]/g, " ");
