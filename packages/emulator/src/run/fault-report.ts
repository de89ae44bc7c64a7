// Resolves the places of a fault: the report names lines and instructions of the text that was loaded.
import { type LineOrigins, positionAt } from "@mm-ptx/types/core";
import { textAt } from "../program/texts.js";
import { hasSourceLinesAt, sourceFrames } from "../source/frames.js";
import type { FaultPlace, RecordedFault } from "./fault.js";
import type { Launch, LaunchPlan } from "./launch.js";
import type { LaunchFault, NearAllocation, TextPlace, ThreadPlace } from "./launch-fault.js";
import { ADDRESS_BASE } from "./memory.js";
import { type Neighbor, neighborOfFault } from "./neighbor.js";
import type { PagedMemory } from "./paged-memory.js";

/** Where the text of a launch comes from. */
interface TextContext {
  readonly launch: LaunchPlan;
  /** Where lines of rendered PTX come from. */
  readonly origins: LineOrigins | undefined;
}

/** The facts about the launch. */
export interface FaultContext extends TextContext {
  readonly launch: Launch;
  readonly memory: PagedMemory;
}

/** @param neighbor of the address at the time of the fault, if kernels may have freed it since */
export function reportFault(
  fault: RecordedFault,
  context: FaultContext,
  neighbor = neighborOfFault(fault, context.memory),
): LaunchFault {
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
    case "DIVERGENT_BARRIER":
    case "EXITED_THREADS":
      return { ...common, place: threadPlace(fault, context), detail: fault.detail };
    case "UNINITIALIZED":
      return { ...common, place: threadPlace(fault, context), detail: fault.what };
    case "RACE": {
      const { address, bytes, space, access, other, otherAccess, sameValue } = fault;
      const near = neighbor && described(neighbor, address);
      return {
        ...common,
        place: threadPlace(fault, context),
        other: threadPlace(other, context),
        ...{ address, bytes, space, access, otherAccess, sameValue, near },
      };
    }
    default: {
      const { address, bytes, space, access } = fault;
      const near = neighbor && described(neighbor, address);
      // Engines only see that the memory is not allocated, not who owned it before.
      const code = fault.kind === "OUT_OF_BOUNDS" && near?.freed ? "USE_AFTER_FREE" : fault.kind;
      return { code, kernel, place: threadPlace(fault, context), address, bytes, space, access, near };
    }
  }
}

function threadPlace(place: FaultPlace, context: FaultContext): ThreadPlace {
  const { block, thread, function: index, instruction } = place;
  return { ...textPlace(index, instruction, context), block, thread };
}

export function textPlace(index: number, instruction: number, { launch, origins }: TextContext): TextPlace {
  const { program } = launch.loaded;
  const { text, functions } = program;
  const { name, instructions, span: whole } = functions[index]!;
  // A function without a final `ret` ends at its closing brace, after the last instruction.
  const span = instructions[instruction]?.span ?? { start: whole.end - 1, end: whole.end };
  const own = textAt(program, span.start);
  const { line, column } = positionAt(own.text, span.start - own.start);
  const frames = sourceFrames(program, index, instruction);
  return {
    function: name,
    instruction: text.slice(span.start, span.end),
    span,
    line,
    column,
    source: origins?.locate(own.start === 0 ? line : positionAt(text, span.start).line),
    ...(own.number === undefined ? {} : { text: own.number }),
    frames,
    ...(frames.length === 0 && hasSourceLinesAt(program, span.start) ? { isAdded: true } : {}),
  };
}

function described({ allocation, freed }: Neighbor, address: bigint): NearAllocation {
  const { label, offset: begin, bytes } = allocation;
  const distance = Number(address) - ADDRESS_BASE - begin;
  return { label, address: BigInt(ADDRESS_BASE + begin), byteLength: bytes, distance, freed };
}
