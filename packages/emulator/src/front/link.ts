// Links the modules of several texts, as nvcc -rdc=true does: gives every function and variable of all of them an
// index, and resolves names that another text defines (PTX ISA, Linking Directives).
import type { PtxFunction, PtxModule, PtxVariable } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { quoted, TextLines } from "@mm-ptx/types/internal";
import type { ProblemList } from "./problems.js";

/** A text that takes part. */
export interface LinkedText {
  readonly module: PtxModule;
  readonly text: string;
  readonly problems: ProblemList;
}

/** The links of a text. */
export interface Links {
  /** The functions with a body that become functions of the program. */
  readonly bodies: readonly PtxFunction[];
  /** Indices of functions by name, including aliases and functions of other texts. */
  readonly functions: ReadonlyMap<string, number>;
  /** Indices of the module's variables by name. A declaration and its definition are one variable. */
  readonly variables: ReadonlyMap<string, number>;
  /** The names of the variables that some text defines. */
  readonly defined: ReadonlySet<string>;
}

/** A definition or a declaration that other texts see. */
interface Place<Declared> {
  readonly declared: Declared;
  /** Index of the text. */
  readonly text: number;
}

/** The links of each text, and the number of variables. */
export function linkTexts(texts: readonly LinkedText[]): {
  readonly links: readonly Links[];
  readonly variables: number;
} {
  const functions = linkFunctions(texts);
  const { slots, defined, count } = linkVariables(texts);
  const links = functions.map((found, text) => ({
    ...found,
    variables: slots[text]!,
    defined: new Set([
      ...texts[text]!.module.globals.filter(({ linkage }) => linkage !== "extern").map(({ name }) => name),
      ...defined,
    ]),
  }));
  return { links, variables: count };
}

const isBody = ({ scope }: PtxFunction): boolean => scope !== undefined;
/** Whether other texts see a function. Launches find kernels by name, so all of them count. */
const isSeen = ({ linkage, kind }: PtxFunction): boolean => linkage !== undefined || kind === "entry";

function linkFunctions(texts: readonly LinkedText[]): Pick<Links, "bodies" | "functions">[] {
  const chosen = new Map<string, Place<PtxFunction>>();
  texts.forEach(({ module }, text) => {
    for (const declared of module.functions) {
      if (!isBody(declared) || !isSeen(declared)) continue;
      const before = chosen.get(declared.name);
      if (before === undefined || before.text === text) {
        if (before === undefined) chosen.set(declared.name, { declared, text });
      } else if (before.declared.linkage === "weak" && declared.linkage !== "weak")
        chosen.set(declared.name, { declared, text });
      else if (declared.linkage !== "weak") reportTwice(texts, before, { declared, text });
    }
  });
  const indices = new Map<PtxFunction, number>();
  const bodies = texts.map(({ module }, text) =>
    module.functions.filter((declared) => {
      const one = chosen.get(declared.name);
      return isBody(declared) && (!isSeen(declared) || one === undefined || one.text === text);
    }),
  );
  for (const declared of bodies.flat()) indices.set(declared, indices.size);
  return texts.map((one, text) => {
    const functions = new Map<string, number>();
    for (const declared of bodies[text]!)
      if (!functions.has(declared.name)) functions.set(declared.name, indices.get(declared)!);
    for (const declared of one.module.functions) {
      const other = chosen.get(declared.name);
      if (functions.has(declared.name) || other === undefined) continue;
      if (!haveOneSignature(declared, other.declared)) {
        const expected = `the parameters and results of \`${declared.name}\` ${placeOf(texts, other)}`;
        one.problems.expect("WRONG_TYPE", declared.headerSpan, expected);
      }
      functions.set(declared.name, indices.get(other.declared)!);
    }
    for (const { name, values } of one.module.directives) {
      const index = name === ".alias" ? functions.get(values[1] ?? "") : undefined;
      if (index !== undefined) functions.set(values[0]!, index);
    }
    return { bodies: bodies[text]!, functions };
  });
}

function haveOneSignature(a: PtxFunction, b: PtxFunction): boolean {
  const sizes = ({ results, parameters }: PtxFunction) =>
    [results, parameters].map((list) => list.map(({ bytes }) => bytes ?? 0).join(" ")).join(", ");
  return sizes(a) === sizes(b);
}

function linkVariables(texts: readonly LinkedText[]) {
  const shared = new Map<string, number>();
  const definitions = new Map<string, Place<PtxVariable>>();
  let count = 0;
  const slots = texts.map(({ module }, text) => {
    const own = new Map<string, number>();
    for (const declared of module.globals) {
      const { name, linkage } = declared;
      const slot = own.get(name) ?? (linkage === undefined ? undefined : shared.get(name)) ?? count++;
      own.set(name, slot);
      if (linkage === undefined) continue;
      shared.set(name, slot);
      if (linkage === "extern") continue;
      const before = definitions.get(name);
      const isStrong = linkage === "visible";
      if (before === undefined || (isStrong && before.declared.linkage !== "visible"))
        definitions.set(name, { declared, text });
      else if (isStrong && before.text !== text) reportTwice(texts, before, { declared, text });
    }
    return own;
  });
  return { slots, defined: new Set(definitions.keys()), count };
}

type Named = { readonly name: string; readonly nameSpan: Span };

function reportTwice(
  texts: readonly LinkedText[],
  first: Place<Named>,
  { declared, text }: Place<Named>,
): void {
  const { name, nameSpan } = declared;
  const message = `expected one definition of ${quoted(name)}, found another one ${placeOf(texts, first)}`;
  texts[text]!.problems.add("DUPLICATE", nameSpan, message);
}

function placeOf(texts: readonly LinkedText[], { declared, text }: Place<Named>): string {
  const { line } = new TextLines(texts[text]!.text).positionAt(declared.nameSpan.start);
  return `in text ${text + 1}, line ${line}`;
}
