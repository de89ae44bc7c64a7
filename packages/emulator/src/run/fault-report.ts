// A fault with its places found: lines of the text, the site and stub line behind them, and whose memory an address is near.
import { locateLine, positionAt, type SourceLine, type SourceMap, type Span } from "@mm-ptx/types/core";
import type { Fault, FaultPlace } from "./fault.js";
import type { Dimensions, Launch } from "./launch.js";
import { ADDRESS_BASE } from "./memory.js";
import type { Allocation, PagedMemory } from "./paged-memory.js";

/** A place in a module's text. */
export interface TextPlace {
  /** Of the kernel or device function. */
  readonly function: string;
  /** As written. */
  readonly instruction: string;
  readonly span: Span;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** Where rendered PTX has the line from; undefined for a module without a source map. */
  readonly source: SourceLine | undefined;
}

/** Where a thread stood. */
export interface ThreadPlace extends TextPlace {
  readonly block: Dimensions;
  readonly thread: Dimensions;
}

/** Memory near an address, or memory that was given back. */
export interface NearAllocation {
  /** What it is: ``variable `table` ``. */
  readonly label: string;
  readonly address: bigint;
  /** In bytes. */
  readonly byteLength: number;
  /** From its beginning to the address, in bytes; negative before it. */
  readonly distance: number;
  readonly freed: boolean;
}

/** How a launch failed, as data. */
export interface LaunchFault {
  readonly code: Fault["kind"];
  readonly kernel: string;
  /** Undefined for what is no single thread's fault. */
  readonly place: ThreadPlace | undefined;
  /** Of a wrong access. */
  readonly address?: bigint;
  /** Of a wrong access, in bytes. */
  readonly bytes?: number;
  readonly space?: string;
  readonly access?: "load" | "store" | "atomic";
  readonly near?: NearAllocation | undefined;
  /** What a trap, an unsupported instruction or an uninitialised read was. */
  readonly detail?: string;
  /** The other thread of a race. */
  readonly other?: ThreadPlace;
  /** The threads of a deadlock. */
  readonly waiting?: readonly (ThreadPlace & { readonly detail: string })[];
  /** The first and the last instruction of the loop that was running. */
  readonly loop?: { readonly first: TextPlace; readonly last: TextPlace };
}

/** What is known of a launch. */
export interface FaultContext {
  readonly launch: Launch;
  readonly memory: PagedMemory;
  readonly sourceMap: SourceMap | undefined;
}

/** Spaces whose addresses are offsets of their own. */
const OWN_SPACES: ReadonlySet<string> = new Set(["shared", "local", "param"]);

export function reportFault(fault: Fault, context: FaultContext): LaunchFault {
  const kernel = context.launch.kernel.name;
  const common = { code: fault.kind, kernel, place: undefined };
  switch (fault.kind) {
    case "BUDGET":
    case "TIMEOUT":
    case "ABORTED": {
      if (fault.loop === undefined) return common;
      const { function: index, first, last } = fault.loop;
      return {
        ...common,
        loop: { first: textPlace(index, first, context), last: textPlace(index, last, context) },
      };
    }
    case "DEADLOCK": {
      const waiting = fault.waiting.map((one) => ({ ...threadPlace(one, context), detail: one.detail }));
      return { ...common, waiting };
    }
    case "TRAP":
    case "UNSUPPORTED":
      return { ...common, place: threadPlace(fault, context), detail: fault.detail };
    case "UNINITIALIZED":
      return { ...common, place: threadPlace(fault, context), detail: fault.what };
    case "RACE": {
      const { address, space, other } = fault;
      const near = space === "global" ? nearAllocation(address, context.memory) : undefined;
      return {
        ...common,
        place: threadPlace(fault, context),
        other: threadPlace(other, context),
        address,
        space,
        near,
      };
    }
    default: {
      const { address, bytes, space, access } = fault;
      const near = OWN_SPACES.has(space) ? undefined : nearAllocation(address, context.memory);
      // Engines see that nobody has the memory, not who had it.
      const code = fault.kind === "OUT_OF_BOUNDS" && near?.freed ? "USE_AFTER_FREE" : fault.kind;
      return { code, kernel, place: threadPlace(fault, context), address, bytes, space, access, near };
    }
  }
}

function threadPlace(place: FaultPlace, context: FaultContext): ThreadPlace {
  const { block, thread, function: index, instruction } = place;
  return { ...textPlace(index, instruction, context), block, thread };
}

function textPlace(index: number, instruction: number, { launch, sourceMap }: FaultContext): TextPlace {
  const { text, functions } = launch.loaded.program;
  const { name, instructions, span: whole } = functions[index]!;
  // Behind the last instruction stands the closing brace, where a function ends that has no `ret`.
  const span = instructions[instruction]?.span ?? { start: whole.end - 1, end: whole.end };
  const { line, column } = positionAt(text, span.start);
  const source = sourceMap === undefined ? undefined : locateLine(sourceMap, line);
  return { function: name, instruction: text.slice(span.start, span.end), span, line, column, source };
}

function nearAllocation(address: bigint, memory: PagedMemory): NearAllocation | undefined {
  const offset = Number(address) - ADDRESS_BASE;
  if (offset < 0 || offset >= 2 ** 32) return undefined;
  const freed = memory.freedAt(offset);
  const found = freed ?? memory.nearest(offset);
  return found === undefined ? undefined : { ...described(found, offset), freed: freed !== undefined };
}

function described({ label, offset: begin, bytes }: Allocation, offset: number) {
  return { label, address: BigInt(ADDRESS_BASE + begin), byteLength: bytes, distance: offset - begin };
}
