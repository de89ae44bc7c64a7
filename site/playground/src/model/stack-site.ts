// Compiles the Stack PTX program of a site, and finds out what its instructions do.
import type { Injection, Operand } from "@mm-ptx/inject";
import {
  assemble,
  PHILOX_REGISTERS,
  philox,
  type RoutineLibrary,
  register,
  type StackCompileJob,
  StackCompiler,
  type StackProgram,
  siteJob,
} from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { instructionLines } from "./instruction-lines.js";
import { type Problem, problemsOf } from "./problem.js";
import { type StackPicture, stackPictures } from "./stack-pictures.js";

export { table };

/** A site as its programs see it. */
export interface StackSite {
  readonly job: StackCompileJob;
  /** The same with the names of the operands instead of those of their registers. */
  readonly named: StackCompileJob;
  /** The names of the operands in the order of the job. */
  readonly registers: readonly string[];
  readonly library: RoutineLibrary | undefined;
  readonly compiler: StackCompiler;
}

/** What a program turned out to do. */
export interface StackFigures {
  readonly live: number;
  readonly dead: number;
  readonly lines: number;
  readonly depth: number;
  readonly registers: number;
  /** Operands that the stub does not write. */
  readonly unfilled: readonly string[];
}

/** The result of a compile. */
export interface CompiledStack {
  readonly stub?: string;
  readonly program?: StackProgram;
  readonly pictures: readonly StackPicture[];
  readonly figures?: StackFigures;
  readonly problems: readonly Problem[];
}

/**
 * The job of a site. If the site binds a Philox state, its registers come first, because the routines expect them there.
 *
 * @throws StackPtxError
 */
export function stackSite({ operands }: Pick<Injection, "operands">): StackSite {
  const named = new Map(operands.map((operand) => [operand.name, operand]));
  const random = PHILOX_REGISTERS.every((name) => named.has(name));
  const first = random ? PHILOX_REGISTERS.flatMap((name) => named.get(name) ?? []) : [];
  const ordered = [...first, ...operands.filter((operand) => !first.includes(operand))];
  const { registers, requests } = siteJob(table, operands);
  const order = ordered.map(({ index }) => index);
  const job = {
    registers: order.flatMap((index) => registers[index] ?? []),
    requests: Array.from(requests, (index) => order.indexOf(index)),
  };
  const library = random ? philox(table) : undefined;
  return {
    job,
    named: {
      ...job,
      registers: job.registers.map(({ stackIndex }, i) => register(nameOf(ordered[i]), stackIndex)),
    },
    registers: ordered.map(nameOf),
    library,
    compiler: new StackCompiler(table, { routines: library?.routines ?? [] }),
  };
}

const nameOf = (operand: Operand | undefined): string => operand?.name ?? "";

/** The program that a text means at a site. @throws StackPtxError SYNTAX */
export function assembleAt(site: StackSite, text: string): StackProgram {
  return assemble(text, table, { registers: site.registers, routines: site.library?.names ?? [] });
}

/** The most instructions of a program whose stacks are drawn. */
const MOST_DRAWN = 3000;

/** Compiles the text of a program. */
export function compileStack(site: StackSite, text: string): CompiledStack {
  const lines = instructionLines(text);
  try {
    const program = assembleAt(site, text);
    const stub = site.compiler.compile(program, site.job);
    const analysis = site.compiler.analyze(program, site.job);
    const isDrawn = program.length <= MOST_DRAWN;
    const unfilled = analysis.unfilledRequests.map(
      (request) => site.registers[site.job.requests[request] ?? -1] ?? "",
    );
    return {
      stub,
      program,
      pictures: isDrawn
        ? stackPictures({ table, trace: site.compiler.trace(program, site.named), analysis, lines })
        : [],
      figures: {
        live: analysis.live.length,
        dead: analysis.dead.length,
        lines: analysis.lines,
        depth: analysis.depth,
        registers: analysis.registers.reduce((sum, count) => sum + count, 0),
        unfilled,
      },
      problems: unfilled.map((name) => ({
        severity: "warning",
        message: `The program leaves nothing for \`${name}\`, so the stub does not write it`,
      })),
    };
  } catch (error) {
    return { pictures: [], problems: problemsOf(error, text, lines) };
  }
}
