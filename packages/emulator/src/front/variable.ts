// Variables: their sizes, alignment and initial bytes.
import type { PtxValue, PtxVariable } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import type { ProgramSpace, ProgramVariable, Relocation } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import { inProgram, type ModuleContext } from "./context.js";
import { initialBytes } from "./initial.js";

/** The size limit of a variable, because offsets in device memory have 32 bits. */
const LARGEST = 2 ** 32;
const LARGEST_ALIGN = 2 ** 16;

/** A variable as declared; undefined, with a problem reported, when no memory can be laid out for it. */
export function readVariable(
  context: ModuleContext,
  declared: PtxVariable,
  offset = 0,
): ProgramVariable | undefined {
  const { problems, module } = context;
  const { name, nameSpan, space, type, linkage, align } = declared;
  const fail = (code: "UNSUPPORTED" | "SYNTAX" | "WRONG_TYPE" | "OUT_OF_RANGE", message: string) => {
    problems.add(code, nameSpan, message);
    return undefined;
  };
  if (!isSpace(space))
    return fail("UNSUPPORTED", `expected no variable in \`.${space}\`, found ${quoted(name)}`);
  if (type === undefined) return fail("SYNTAX", `expected a type before ${quoted(name)}, found none`);
  if (!isMemoryType(type)) {
    return fail(
      "UNSUPPORTED",
      `expected a variable other than a texture, sampler or surface, found ${quoted(name)} of \`.${type}\``,
    );
  }
  if (align === undefined || align < 1 || align > LARGEST_ALIGN || !Number.isInteger(Math.log2(align))) {
    return fail(
      "OUT_OF_RANGE",
      `expected an alignment that is a power of 2, found ${align} for ${quoted(name)}`,
    );
  }
  const initial = declared.initializer === undefined ? undefined : module.initialValue(declared.initializer);
  if (initial !== undefined && space !== "global" && space !== "const") {
    return fail("WRONG_TYPE", `expected no initial value in \`.${space}\`, found one of ${quoted(name)}`);
  }
  const bytes = bytesOf(declared, type, initial);
  if (bytes === undefined) {
    return fail("SYNTAX", `expected the length of ${quoted(name)}, found none`);
  }
  if (bytes > LARGEST)
    return fail("OUT_OF_RANGE", `expected at most 2^32 bytes, found ${quoted(name)} of ${bytes}`);
  let content: Uint8Array | undefined;
  let relocations: readonly Relocation[] = [];
  if (initial !== undefined) {
    const read = initialBytes(context, { ...declared, type, bytes }, initial);
    content = read.bytes;
    relocations = read.relocations;
  }
  return Object.freeze({
    name,
    nameSpan: inProgram(context, nameSpan),
    space,
    type,
    bytes,
    align,
    offset,
    extern: linkage === "extern",
    initial: content,
    relocations,
  });
}

const SPACES: ReadonlySet<string> = new Set(["global", "const", "shared", "local", "param"]);

function isSpace(space: string): space is ProgramSpace {
  return SPACES.has(space);
}

function isMemoryType(type: string): type is PtxType {
  return Object.hasOwn(TYPES, type) && type !== "pred";
}

/** The size in bytes; undefined when an array has no length. */
function bytesOf(declared: PtxVariable, type: PtxType, initial: PtxValue | undefined): number | undefined {
  const { dimensions, bytes, vector, linkage, space } = declared;
  if (bytes !== undefined) return bytes;
  if (dimensions.slice(1).includes(undefined)) return undefined;
  const element = (TYPES[type].bits / 8) * vector * dimensions.slice(1).reduce<number>((a, b) => a * b!, 1);
  if (initial?.kind === "vector") return initial.items.length * element;
  if (initial?.kind === "string") return (initial.text.length + 1) * element;
  return linkage === "extern" || space === "param" ? 0 : undefined;
}

/** Rounds an offset up to a multiple of a power of 2. */
export function alignedTo(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}
