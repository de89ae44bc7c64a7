// What the editors complete: instructions of the table with their stacks, operands, stacks and functions.
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import type { StackTable } from "@mm-ptx/types/core";
import { STACK_OPERATIONS } from "./words.js";

/** What the programs of a site may name. */
export interface SiteWords {
  readonly table: StackTable;
  /** The stacks of the operands. */
  readonly stacks: ReadonlySet<string>;
  /** Names of operands that programs read. */
  readonly inputs: readonly string[];
  /** Registers of operands with their names, for PTX. */
  readonly registers: readonly { readonly register: string; readonly name: string }[];
  readonly routines: readonly string[];
  /** Functions of formulas. */
  readonly functions: readonly string[];
}

const instructions = new WeakMap<SiteWords, readonly Completion[]>();

/**
 * Instructions with the stacks that they pop and push: `F32 F32 → F32`. Those on the stacks of the operands come first, then
 * those that come first in the table, which are the usual ones.
 */
function instructionWords(site: SiteWords): readonly Completion[] {
  const known = instructions.get(site);
  if (known !== undefined) return known;
  const { table, stacks } = site;
  const found = table.instructions.map(({ name, args, results }, index) => {
    const [popped, pushed] = [args, results].map((types) =>
      types.map((type) => table.argTypes[type]?.name ?? ""),
    );
    const fits = [...(popped ?? []), ...(pushed ?? [])].every((stack) => stacks.has(stack));
    return {
      label: name,
      type: "function",
      detail: `${popped?.join(" ")} → ${pushed?.join(" ")}`,
      boost: (fits ? 60 : 0) - (30 * index) / table.instructions.length,
    };
  });
  instructions.set(site, found);
  return found;
}

const words = (type: string, labels: readonly string[], detail = ""): Completion[] =>
  labels.map((label) => ({ label, type, ...(detail && { detail }) }));

/** Completes lines of Stack PTX. */
export function completeStack(site: () => SiteWords | undefined): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const known = site();
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (known === undefined || before.includes(";")) return null;
    const [, first = "", gap = "", second = ""] = /^\s*(\S*)(\s*)(\S*)$/.exec(before) ?? [];
    if (gap === "") {
      if (first === "" && !context.explicit) return null;
      const options = [
        ...instructionWords(known),
        ...words(
          "variable",
          known.inputs.map((name) => `input ${name}`),
          "operand",
        ),
        ...words(
          "keyword",
          known.routines.map((name) => `routine ${name}`),
          "routine",
        ),
        ...words("keyword", ["const F32 ", "const U32 ", "const S32 "], "constant"),
        ...words(
          "keyword",
          STACK_OPERATIONS.map((name) => `${name} F32`),
          "stack operation",
        ),
        ...words("keyword", ["store F32 0", "load 0"], "slot"),
        ...words("keyword", ["meta 1"], "number for stack operations"),
        ...words("keyword", ["return"]),
      ];
      return { from: context.pos - first.length, options, validFor: /^[\w. ]*$/ };
    }
    const options = secondWords(known, first);
    return options.length === 0 ? null : { from: context.pos - second.length, options, validFor: /^[\w.]*$/ };
  };
}

function secondWords(site: SiteWords, first: string): Completion[] {
  if (first === "input") return words("variable", site.inputs);
  if (first === "routine") return words("keyword", site.routines);
  if (first === "special")
    return words(
      "variable",
      site.table.specialRegisters.map(({ name }) => name),
    );
  if (first === "const" || first === "store" || (STACK_OPERATIONS as readonly string[]).includes(first)) {
    const stacks = site.table.stackTypes.filter(({ constantType }) => first !== "const" || constantType);
    return words(
      "type",
      stacks.map(({ name }) => name),
    );
  }
  if (first === "ptx") return [...instructionWords(site)];
  return [];
}

/** Completes formulas. */
export function completeFormula(site: () => SiteWords | undefined): CompletionSource {
  return (context) => {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    const known = site();
    if (known === undefined || (word === null && !context.explicit)) return null;
    const options = [...words("variable", known.inputs, "operand"), ...words("function", known.functions)];
    return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
  };
}

/** Completes PTX: instructions of the table, and the registers of the operands. */
export function completePtx(site: () => SiteWords | undefined): CompletionSource {
  return (context) => {
    const word = context.matchBefore(/[%\w][\w.]*/);
    const known = site();
    if (known === undefined || (word === null && !context.explicit)) return null;
    const registers = known.registers.map(({ register, name }) => ({
      label: `%${register}`,
      type: "variable",
      detail: name,
    }));
    const mnemonics = [...new Set(known.table.instructions.map(({ ptx }) => ptx))];
    return {
      from: word?.from ?? context.pos,
      options: [...registers, ...words("function", mnemonics)],
      validFor: /^[%\w.]*$/,
    };
  };
}
