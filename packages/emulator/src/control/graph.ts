// The control flow of a kernel as basic blocks, with the device functions that it calls put in their places. A block ends
// where control goes elsewhere, and where a thread has to wait for others: what follows then is another function of the
// translated kernel.
import type { Operand, RegisterOperand, VariableReference } from "../program/operand.js";
import type { Instruction, Program, ProgramFunction } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { registersOf } from "./registers.js";
import { syntheticStep } from "./synthetic.js";

/** One call of a function that was put in its place; the kernel itself is the first. */
export interface Context {
  readonly function: number;
  readonly body: ProgramFunction;
  /** Added to the numbers of its registers. */
  readonly registerBase: number;
  /** Where its variables stand in the thread's local memory. */
  readonly frameBase: number;
  /** Its `.param` variables that are variables of its caller. */
  readonly aliases: ReadonlyMap<number, Place>;
}

/** A variable of a function in one of its contexts. */
export interface Place {
  readonly context: Context;
  readonly variable: number;
}

/** An instruction in its context. */
export interface Step {
  readonly source: Instruction;
  readonly context: Context;
  /** Index into the function's instructions. */
  readonly index: number;
  /** Its modifiers, without what they are modifiers of. */
  readonly words: ReadonlySet<string>;
  /** Registers that it reads; also those that it leaves as they are when its guard does not hold. */
  readonly reads: readonly number[];
  /** Registers that it writes. */
  readonly writes: readonly number[];
}

/** Where control goes at the end of a block. Targets are indices of blocks. */
export type BlockEnd =
  | {
      readonly kind: "jump";
      readonly target: number;
      /** The instruction that jumps, by its index; undefined where control only goes on. */
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
  /** Index of the instruction that it begins with. */
  readonly first: number;
  readonly steps: Step[];
  end: BlockEnd;
}

/** A kernel's blocks; the first is its beginning. */
export interface Graph {
  readonly blocks: readonly Block[];
  /** Types of all registers, those of inlined functions too. */
  readonly registerTypes: readonly PtxType[];
  /** Bytes of local memory of a thread. */
  readonly localBytes: number;
  /** The blocks with which the kernel and the functions in it begin; nothing goes back to them. */
  readonly beginnings: readonly number[];
  /** Instructions with which threads wait for one another or act together, and the blocks behind them. */
  readonly waits: readonly { readonly step: Step; readonly resume: number }[];
}

/** Why a kernel has no graph. */
export class Untranslatable extends Error {}

/** Instructions at which threads wait for others. */
const WAITING = new Set([
  ...["bar", "barrier", "shfl", "vote", "match", "activemask", "redux", "elect"],
  ...["mma", "wmma", "ldmatrix", "stmatrix", "movmatrix"],
]);

/** Device functions within one another. */
const MAX_DEPTH = 32;
const MAX_STEPS = 200_000;
/** Blocks times registers, above which it takes seconds to find out which register is alive where. */
const MAX_FACTS = 2.5e8;

const tooLarge = () => new Untranslatable("it has too many instructions with its calls");

/**
 * The graph of a kernel, or of a function that is called without being put in its caller's place.
 *
 * @param called indices of functions that stay calls: those that call themselves
 * @throws {@link Untranslatable} saying why
 */
export function buildGraph(program: Program, root: ProgramFunction, called: ReadonlySet<number>): Graph {
  return new GraphBuilder(program, root, called).build();
}

class GraphBuilder {
  readonly #blocks: Block[] = [];
  /** The first is the carry flag. */
  readonly #registerTypes: PtxType[] = ["u32"];
  readonly #waits: { step: Step; resume: number }[] = [];
  readonly #beginnings: number[] = [];
  readonly #program: Program;
  readonly #root: ProgramFunction;
  readonly #called: ReadonlySet<number>;
  /** By opcode. */
  readonly #words = new Map<string, ReadonlySet<string>>();
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

  #wordsOf({ opcode, modifiers }: Instruction): ReadonlySet<string> {
    let words = this.#words.get(opcode);
    if (words === undefined) {
      words = new Set(Object.values(modifiers));
      this.#words.set(opcode, words);
    }
    return words;
  }

  #newBlock(context: Context, first: number): number {
    return this.#blocks.push({ context, first, steps: [], end: { kind: "exit" } }) - 1;
  }

  /** Adds a function's blocks and says which is its first. `whereTo` is where `ret` goes; the root's ends the graph. */
  #function(context: Context, whereTo: number | undefined, depth: number): number {
    if (depth > MAX_DEPTH) throw new Untranslatable(`the calls of \`${context.body.name}\` are too deep`);
    if (this.#blocks.length * this.#registerTypes.length > MAX_FACTS) throw tooLarge();
    const { instructions } = context.body;
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
      const words = this.#wordsOf(source);
      const { reads, writes } = registersOf(source, context.registerBase, words.has("cc"));
      const step: Step = { source, context, index: i, words, reads, writes };
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

  /** Blocks of a function by the instruction that each begins with. */
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

  /** How a block ends with an instruction where its guard holds; undefined for one that control only passes. */
  #end(
    step: Step,
    next: () => number,
    returns: BlockEnd,
    starts: ReadonlyMap<number, number>,
    depth: number,
  ): BlockEnd | undefined {
    const { source } = step;
    if (WAITING.has(source.name)) {
      this.#waits.push({ step, resume: next() });
      return { kind: "wait", step, resume: next() };
    }
    switch (source.name) {
      case "bra": {
        const label = source.operands.find((operand) => operand.kind === "label")!;
        return { kind: "jump", target: starts.get(label.target)!, at: step.index };
      }
      case "brx":
        return { kind: "switch", step, targets: source.branchTargets!.map((target) => starts.get(target)!) };
      case "ret":
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

  /** Puts a function in its call's place; undefined where the call stays one. */
  #call(step: Step, next: () => number, depth: number): BlockEnd | undefined {
    const { callee, args, results } = step.source.call!;
    if (callee.kind === "builtin") return undefined;
    if (callee.kind === "register" || this.#called.has(callee.function)) {
      if ([...args, ...results].every(({ kind }) => kind === "variable")) return undefined;
      throw new Untranslatable("it calls functions that are not put in place with values in registers");
    }
    const { frameBase, body: caller } = step.context;
    const aliases = new Map<number, Place>();
    const context = this.#context(callee.function, frameBase + caller.frameBytes, aliases);
    const given = passed(step.context, context, args, "in", aliases);
    const taken = passed(step.context, context, results, "out", aliases);
    const behind = this.#newBlock(step.context, step.index);
    this.#blocks[behind]!.steps.push(...taken);
    this.#blocks[behind]!.end = { kind: "jump", target: next() };
    const beginning = this.#function(context, behind, depth + 1);
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
 * How parameters or results get from a caller to what it calls, or back: variables are the same on both sides, values in
 * registers are moved.
 */
function passed(
  caller: Context,
  callee: Context,
  operands: readonly Operand[],
  direction: "in" | "out",
  aliases: Map<number, Place>,
): Step[] {
  const { body, registerBase } = callee;
  const variables = direction === "in" ? body.params : body.results;
  const registers = direction === "in" ? body.registerParams : body.registerResults;
  const steps: Step[] = [];
  operands.forEach((operand, i) => {
    const variable = variables[i];
    if (operand.kind === "sink") return;
    if (operand.kind === "variable") {
      if (variable === undefined) throw new Untranslatable("it passes a variable for a register");
      aliases.set(variable, placeOf(caller, operand.variable));
      return;
    }
    // Numbers of registers count from those of the function that is called.
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
        ? syntheticStep(callee, "st", type, [address, value])
        : syntheticStep(callee, "ld", type, [value, address]),
    );
  });
  return steps;
}

function endsBlock({ name, call }: Instruction): boolean {
  if (name === "call") return call!.callee.kind !== "builtin";
  return WAITING.has(name) || name === "bra" || name === "brx" || name === "ret" || name === "exit";
}

/** Which variable a reference of a function means, in which context. */
export function placeOf(context: Context, { variable }: VariableReference): Place {
  return context.aliases.get(variable) ?? { context, variable };
}

/** The number of a register in the graph. */
export function registerOf({ context }: Step, { register }: RegisterOperand): number {
  return context.registerBase + register;
}

/** The blocks that control may go to from a block, without what follows a wait. */
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
