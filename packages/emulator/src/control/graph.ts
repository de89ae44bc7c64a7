// The control flow of a kernel as basic blocks, with the device functions that it calls inlined. A block ends where
// control may go elsewhere and where a thread has to wait for others: the code that follows a wait becomes a separate
// function of the translated kernel.
import type { Operand, RegisterOperand, VariableReference } from "../program/operand.js";
import type { Instruction, Program, ProgramFunction } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { type Context, newStep, type Place, type Step } from "./step.js";
import { syntheticStep } from "./synthetic.js";

/** The end of a block: where control goes from there. Targets are indices of blocks. */
export type BlockEnd =
  | {
      readonly kind: "jump";
      readonly target: number;
      /** Index of the instruction that jumps; undefined where control falls through. */
      readonly at?: number;
    }
  | {
      readonly kind: "branch";
      readonly step: Step;
      readonly taken: number;
      readonly otherwise: number;
    }
  | { readonly kind: "switch"; readonly step: Step; readonly targets: readonly number[] }
  | { readonly kind: "wait"; readonly step: Step; readonly resume: number }
  /** The thread ends, or the graph's function returns. */
  | { readonly kind: "exit" };

/** A basic block. */
export interface Block {
  readonly context: Context;
  /** Index of its first instruction. */
  readonly first: number;
  readonly steps: Step[];
  end: BlockEnd;
}

/** The blocks of a kernel. The first one is its entry. */
export interface Graph {
  readonly blocks: readonly Block[];
  /** The types of all registers, including those of inlined functions. */
  readonly registerTypes: readonly PtxType[];
  /** Local memory of a thread, in bytes. */
  readonly localBytes: number;
  /** The entry blocks of the kernel and of its inlined functions. No branch leads back to them. */
  readonly beginnings: readonly number[];
  /** Instructions at which threads wait for one another or act together, each with the block that follows it. */
  readonly waits: readonly { readonly step: Step; readonly resume: number }[];
}

/** Why a kernel has no graph. */
export class Untranslatable extends Error {}

/** The deepest nesting of inlined device functions. */
const MAX_DEPTH = 32;
const MAX_STEPS = 200_000;
/** The product of blocks and registers above which computing liveness takes seconds. */
const MAX_FACTS = 2.5e8;

const tooLarge = () => new Untranslatable("it has too many instructions after its calls are inlined");

/**
 * Builds the graph of a kernel, or of a function that is called without being inlined.
 *
 * @param called indices of functions that are not inlined because they are recursive
 * @throws {@link Untranslatable} with the reason
 */
export function buildGraph(program: Program, root: ProgramFunction, called: ReadonlySet<number>): Graph {
  return new GraphBuilder(program, root, called).build();
}

class GraphBuilder {
  readonly #blocks: Block[] = [];
  /** The first register is the carry flag. */
  readonly #registerTypes: PtxType[] = ["u32"];
  readonly #waits: { step: Step; resume: number }[] = [];
  readonly #beginnings: number[] = [];
  readonly #program: Program;
  readonly #root: ProgramFunction;
  readonly #called: ReadonlySet<number>;
  #localBytes = 0;
  #steps = 0;

  constructor(program: Program, root: ProgramFunction, called: ReadonlySet<number>) {
    this.#program = program;
    this.#root = root;
    this.#called = called;
  }

  build(): Graph {
    this.#function(this.#context(this.#program.functions.indexOf(this.#root), 0, new Map()), undefined, 0);
    return {
      blocks: this.#blocks,
      registerTypes: this.#registerTypes,
      localBytes: this.#localBytes,
      beginnings: this.#beginnings,
      waits: this.#waits,
    };
  }

  #context(index: number, frameBase: number, aliases: ReadonlyMap<number, Place>): Context {
    const body = this.#program.functions[index]!;
    const registerBase = this.#registerTypes.length;
    for (const { type } of body.registers) this.#registerTypes.push(type);
    this.#localBytes = Math.max(this.#localBytes, frameBase + body.frameBytes);
    return { function: index, body, registerBase, frameBase, aliases };
  }

  #newBlock(context: Context, first: number): number {
    return this.#blocks.push({ context, first, steps: [], end: { kind: "exit" } }) - 1;
  }

  /**
   * Adds a function's blocks and returns the index of its first. `ret` goes to `whereTo`; in the root it ends the
   * graph.
   */
  #function(context: Context, whereTo: number | undefined, depth: number): number {
    if (depth > MAX_DEPTH)
      throw new Untranslatable(`the calls of \`${context.body.name}\` are nested too deeply`);
    if (this.#blocks.length * this.#registerTypes.length > MAX_FACTS) throw tooLarge();
    const { instructions, name, unsupported } = context.body;
    if (unsupported.length > 0)
      throw new Untranslatable(`calls through addresses may reach \`${name}\`, which is not supported`);
    const beginning = this.#newBlock(context, 0);
    this.#beginnings.push(beginning);
    const starts = this.#starts(context);
    this.#blocks[beginning]!.end = { kind: "jump", target: starts.get(0)! };
    const returns: BlockEnd = whereTo === undefined ? { kind: "exit" } : { kind: "jump", target: whereTo };
    for (const [at, number] of starts) {
      if (at === instructions.length) this.#blocks[number]!.end = returns;
    }
    let current = starts.get(0)!;
    for (let i = 0; i < instructions.length; i++) {
      const source = instructions[i]!;
      if (++this.#steps > MAX_STEPS) throw tooLarge();
      const step = newStep(source, context, i);
      const next = () => starts.get(i + 1)!;
      const end = this.#end(step, next, returns, starts, depth);
      if (end === undefined) {
        this.#blocks[current]!.steps.push(step);
        if (starts.has(i + 1)) this.#blocks[current]!.end = { kind: "jump", target: next() };
      } else this.#blocks[current]!.end = this.#guarded(step, end, next);
      current = starts.get(i + 1) ?? current;
    }
    return beginning;
  }

  /** The blocks of a function, keyed by the instruction that each begins with. */
  #starts(context: Context): Map<number, number> {
    const { instructions } = context.body;
    const places = new Set([0, instructions.length]);
    instructions.forEach((source, i) => {
      for (const operand of source.operands) if (operand.kind === "label") places.add(operand.target);
      for (const target of source.branchTargets ?? []) places.add(target);
      if (endsBlock(source)) places.add(i + 1);
    });
    return new Map([...places].sort((a, b) => a - b).map((at) => [at, this.#newBlock(context, at)]));
  }

  /** How a block ends with an instruction whose guard is true; undefined when the instruction does not end a block. */
  #end(
    step: Step,
    next: () => number,
    returns: BlockEnd,
    starts: ReadonlyMap<number, number>,
    depth: number,
  ): BlockEnd | undefined {
    const { source, operation } = step;
    if (operation.traits.waits !== undefined) {
      this.#waits.push({ step, resume: next() });
      return { kind: "wait", step, resume: next() };
    }
    switch (operation.traits.flow) {
      case "jump": {
        if (source.branchTargets !== undefined) {
          return { kind: "switch", step, targets: source.branchTargets.map((target) => starts.get(target)!) };
        }
        const label = source.operands.find((operand) => operand.kind === "label")!;
        return { kind: "jump", target: starts.get(label.target)!, at: step.index };
      }
      case "return":
        return returns;
      case "exit":
        if (this.#root.kind === "func") {
          throw new Untranslatable(`\`${this.#root.name}\`, which is called, may end the thread`);
        }
        return { kind: "exit" };
      case "call":
        return this.#call(step, next, depth);
      default:
        return undefined;
    }
  }

  /** Inlines a called function; returns undefined when the call is kept. */
  #call(step: Step, next: () => number, depth: number): BlockEnd | undefined {
    const { callee, args, results } = step.source.call!;
    if (callee.kind === "builtin") return undefined;
    if (callee.kind === "register" || this.#called.has(callee.function)) {
      if ([...args, ...results].every(({ kind }) => kind === "variable")) return undefined;
      throw new Untranslatable("it passes values in registers to functions that are not inlined");
    }
    const { frameBase, body: caller } = step.context;
    const aliases = new Map<number, Place>();
    const context = this.#context(callee.function, frameBase + caller.frameBytes, aliases);
    const given = passed(step.context, context, args, "in", aliases);
    const taken = passed(step.context, context, results, "out", aliases);
    const after = this.#newBlock(step.context, step.index);
    this.#blocks[after]!.steps.push(...taken);
    this.#blocks[after]!.end = { kind: "jump", target: next() };
    const beginning = this.#function(context, after, depth + 1);
    this.#blocks[beginning]!.steps.push(...given);
    return { kind: "jump", target: beginning };
  }

  /** The end of a block whose last instruction may have a guard. */
  #guarded(step: Step, end: BlockEnd, next: () => number): BlockEnd {
    if (step.source.guard === undefined) return end;
    let taken: number;
    if (end.kind === "jump") taken = end.target;
    else {
      taken = this.#newBlock(step.context, step.index);
      this.#blocks[taken]!.end = end;
    }
    return { kind: "branch", step, taken, otherwise: next() };
  }
}

/**
 * Returns how parameters or results pass between a caller and the function that it calls: variables become the same
 * variables on both sides, and values in registers are moved.
 */
function passed(
  caller: Context,
  callee: Context,
  operands: readonly Operand[],
  direction: "in" | "out",
  aliases: Map<number, Place>,
): Step[] {
  const { body, registerBase } = callee;
  const variables = direction === "in" ? body.parameters : body.results;
  const registers = direction === "in" ? body.registerParameters : body.registerResults;
  const steps: Step[] = [];
  operands.forEach((operand, i) => {
    const variable = variables[i];
    if (operand.kind === "sink") return;
    if (operand.kind === "variable") {
      if (variable === undefined)
        throw new Untranslatable("it passes a variable where a register is expected");
      aliases.set(variable, placeOf(caller, operand.variable));
      return;
    }
    // Register numbers are relative to the called function's.
    const value: Operand =
      operand.kind === "register"
        ? { ...operand, register: operand.register + caller.registerBase - registerBase }
        : operand;
    if (variable === undefined) {
      const register = registers[i]!;
      const formal: Operand = { kind: "register", register, negated: false };
      const { type } = body.registers[register]!;
      steps.push(syntheticStep(callee, "mov", type, direction === "in" ? [formal, value] : [value, formal]));
      return;
    }
    const address: Operand = { kind: "address", base: { kind: "function-variable", variable }, offset: 0 };
    const { type } = body.variables[variable]!;
    if (type === undefined) throw new Untranslatable(`\`${body.name}\` has a parameter without a type`);
    steps.push(
      direction === "in"
        ? syntheticStep(callee, "st.param", type, [address, value])
        : syntheticStep(callee, "ld.param", type, [value, address]),
    );
  });
  return steps;
}

function endsBlock({ operation: { traits }, call }: Instruction): boolean {
  if (call !== undefined) return call.callee.kind !== "builtin";
  // A thread that traps stops the launch, so what follows the trap does not matter.
  return traits.waits !== undefined || (traits.flow !== undefined && traits.flow !== "trap");
}

/** Returns which variable a function's reference means, and in which context. */
export function placeOf(context: Context, { variable }: VariableReference): Place {
  return context.aliases.get(variable) ?? { context, variable };
}

/** The number of a register in the graph. */
export function registerOf({ context }: Step, { register }: RegisterOperand): number {
  return context.registerBase + register;
}

/** The blocks to which control may go from a block, not including the one that follows a wait. */
export function successors(end: BlockEnd): readonly number[] {
  switch (end.kind) {
    case "jump":
      return [end.target];
    case "branch":
      return [end.taken, end.otherwise];
    case "switch":
      return end.targets;
    default:
      return [];
  }
}
