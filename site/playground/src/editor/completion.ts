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
  /** Names of operands that programs read. */
  readonly inputs: readonly string[];
  /** Registers of operands with their names, for PTX. */
  readonly registers: readonly { readonly register: string; readonly name: string }[];
  readonly routines: readonly string[];
  /** Functions of formulas. */
  readonly functions: readonly string[];
}

const instructions = new WeakMap<StackTable, readonly Completion[]>();

/** An instruction with the stacks that it pops and pushes: `F32 F32 → F32`. */
function instructionWords(table: StackTable): readonly Completion[] {
  const known = instructions.get(table);
  if (known !== undefined) return known;
  const typeName = (index: number) => table.argTypes[index]?.name ?? "";
  const found = table.instructions.map(({ name, args, results }) => ({
    label: name,
    type: "function",
    detail: `${args.map(typeName).join(" ")} → ${results.map(typeName).join(" ")}`,
  }));
  instructions.set(table, found);
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
        ...instructionWords(known.table),
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
  if (first === "ptx") return [...instructionWords(site.table)];
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
