// Annotated CUDA as the tool of mm-ptx 0.x rewrote it (its guide, "Tutorial"): inline asm whose markers name
// the compiler's own registers, with written operands first and then those that are read, each in the order
// of the source.

import { types } from "../../packages/inject/dist/generated/default.js";
import { annotateCuda } from "../../packages/inject/dist/index.js";
import { injectType } from "../../packages/types/dist/core/index.js";

type Site = ReturnType<typeof annotateCuda>["injections"][number];
type Operand = Site["operands"][number];

const MODIFIERS = { mod: "+", out: "=", in: "" } as const;

/** The source with the asm of 0.x in place of its comment annotations. */
export function legacyCuda(source: string): string {
  const { injections } = annotateCuda(source);
  const pieces: string[] = [];
  let from = 0;
  for (const site of injections.toSorted((a, b) => a.span.start - b.span.start)) {
    pieces.push(source.slice(from, site.span.start), asmOf(site));
    from = site.span.end;
  }
  return pieces.join("") + source.slice(from);
}

function asmOf({ name, operands }: Site): string {
  const inSource = operands.toSorted((a, b) => a.span.start - b.span.start);
  const written = inSource.filter(({ direction }) => direction !== "in");
  const read = inSource.filter(({ direction }) => direction === "in");
  const lines = [...written, ...read].map(
    ({ direction, type, name }, index) => `// %${index} ${direction} ${type} ${name}`,
  );
  const text = [`// PTX_INJECT_START ${name}`, ...lines, "// PTX_INJECT_END"].map((line) => `"${line}`);
  return `asm(${text.join('\\n\\t" ')}" : ${bindings(written)} : ${bindings(read)});`;
}

function bindings(operands: readonly Operand[]): string {
  const binding = ({ direction, type, expression }: Operand): string => {
    const { registerChar, registerCast } = injectType(types, type);
    return `"${MODIFIERS[direction]}${registerChar}"(${registerCast}${expression})`;
  };
  return operands.map(binding).join(", ");
}
