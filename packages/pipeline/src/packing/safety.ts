// Whether a launch of many alternatives computes the same as a launch of each, and cannot harm the others: shown from the text, or not.
import type { AnnotatedPtx } from "@mm-ptx/inject";
import type { PtxFunction, PtxModule, PtxVariable } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { Base, isOwnDerived, ownBase, sharedBase, sharedParameter } from "./base.js";
import { followCalls, type Obstacle } from "./calls.js";
import { Branches } from "./control.js";
import { Flow } from "./flow.js";
import { parameterLoad } from "./kernel.js";
import { type Access, accessesOf } from "./memory.js";
import { CONTROL_OPCODES, HINT_OPCODES, ORDER_OPCODES, TEXTURE_OPCODES, VALUE_OPCODES } from "./opcodes.js";
import type { Axis } from "./question.js";
import { registerObstacle } from "./special-registers.js";
import { Nodes, type Step } from "./steps.js";

/** Instructions that need no look at their operands. */
const HARMLESS = [VALUE_OPCODES, ORDER_OPCODES, CONTROL_OPCODES, HINT_OPCODES, TEXTURE_OPCODES];
/** Instructions that `accessesOf` knows. */
const ACCESSING = new Set(["ld", "ldu", "st", "atom", "red", "ldmatrix", "stmatrix", "wmma", "cp"]);

/** A kernel that is to run alternatives. */
export interface SafetyQuestion {
  readonly annotated: AnnotatedPtx;
  readonly module: PtxModule;
  readonly entry: PtxFunction;
  readonly perAlternative: readonly boolean[];
}

/** What is known about a kernel that does not depend on the axis. */
export class Safety {
  readonly #question: SafetyQuestion;
  readonly #steps: readonly Step[];
  readonly #flow: Flow;
  readonly #obstacles: Obstacle[];
  /** The parameters of which each alternative has its own part, by node. */
  readonly #own = new Map<number, PtxVariable>();

  constructor(question: SafetyQuestion) {
    this.#question = question;
    const { annotated, module, entry, perAlternative } = question;
    const nodes = new Nodes(module);
    const { functions, moves, obstacles } = followCalls(module, entry, nodes);
    this.#obstacles = [...obstacles];
    const own = functions.map((one) => [...nodes.stepsOf(one)]);
    this.#steps = own.flat();
    const steps = [...this.#steps, ...moves];
    const branches = new Branches(module, own);
    const sites = annotated.injections.flatMap(({ operands, sites: all }) =>
      all.flatMap(({ span }) =>
        operands.map(({ direction, register }) => ({
          direction,
          span,
          node: nodes.at(span.start, `%${register}`),
        })),
      ),
    );
    const parameters = entry.parameters.map(({ name }) => nodes.ofParameter(entry, name));
    const flow = new Flow(nodes.count);
    this.#flow = flow;
    parameters.forEach((node, index) => {
      const parameter = entry.parameters[index]!;
      const { name, bytes = 0 } = parameter;
      if (perAlternative[index] !== true) flow.set(node, bytes < 8 ? Base.VALUE : sharedBase(index), false);
      else {
        this.#own.set(node, parameter);
        flow.set(node, ownBase(index), false);
        const reason = `has a parameter ${quoted(name)} of ${bytes * 8} bits, which is not an address`;
        if (bytes !== 8) this.#obstacles.push({ statement: entry.statement, reason });
      }
    });
    for (const { direction, node } of sites) {
      if (node !== undefined && direction !== "in") flow.set(node, Base.VALUE, true);
    }
    let before: number;
    do {
      flow.run(steps);
      before = flow.facts;
      branches.taint(flow);
    } while (flow.facts !== before);
    const ending = branches.endingFunction(flow);
    if (ending !== undefined) {
      const reason = "ends threads in a function depending on what a site computes";
      this.#obstacles.push({ statement: ending.statement, reason });
    }
    for (const { span, node } of sites) {
      if (node !== undefined && isOwnDerived(flow.bases[node]!)) {
        const statement = module.statementAt(span.start);
        this.#obstacles.push({ statement, reason: "passes the address of an output to a site" });
      }
    }
  }

  /** The first reason, in the order of the text, why alternatives along an axis are not shown to be safe. */
  obstacle(axis: Axis): string | undefined {
    const found: Obstacle[] = [...this.#obstacles];
    for (const step of this.#steps) {
      const reason = this.#reason(step, axis);
      if (reason !== undefined) found.push({ statement: step.statement, reason });
    }
    const [first] = found.toSorted((a, b) => a.statement - b.statement);
    return first === undefined ? undefined : `${first.reason} (${this.#place(first.statement)})`;
  }

  /** Whether it is shown that memory of which alternatives have no part of their own is only read, but for variables of the module. */
  get keepsInputs(): boolean {
    return this.#obstacles.length === 0 && this.#steps.every((step) => this.#keeps(step));
  }

  #keeps(step: Step): boolean {
    const { name, operands } = step;
    if (name === "call" || HARMLESS.some((group) => group.has(name))) return true;
    const accesses = ACCESSING.has(name) ? accessesOf(step) : undefined;
    return (
      accesses?.every((access) => {
        const { space, address, written } = access;
        if (written === undefined || space === "shared" || space === "local" || space === "param")
          return true;
        const at = address.flatMap((index) => operands[index] ?? []);
        return this.#flow.placeOf(access, step) !== undefined && !this.#flow.isTainted(at);
      }) ?? false
    );
  }

  #reason(step: Step, axis: Axis): string | undefined {
    const { name, modifiers, operands, guard } = step;
    for (const operand of operands.flat()) {
      if (operand.kind !== "special") continue;
      const reason = registerObstacle(operand.name, operand.component, axis);
      if (reason !== undefined) return reason;
    }
    const parameter = this.#ownParameterUse(step);
    if (parameter !== undefined) return parameter;
    if (guard !== undefined && isOwnDerived(this.#flow.bases[guard]!)) return DEPENDS_ON_ADDRESS;
    if (name === "brx" && (operands[0] ?? []).some((one) => isOwnDerived(this.#flow.baseOf(one))))
      return DEPENDS_ON_ADDRESS;
    if (name === "call") return undefined;
    if (!ACCESSING.has(name)) {
      const isKnown = HARMLESS.some((group) => group.has(name));
      return isKnown
        ? undefined
        : `uses ${quoted([name, ...modifiers].join("."))}, which is not known to be safe`;
    }
    const accesses = accessesOf(step);
    if (accesses === undefined)
      return `uses ${quoted([name, ...modifiers].join("."))}, which is not known to be safe`;
    for (const access of accesses) {
      const reason = this.#accessReason(step, access);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Parameters with parts are rewritten where they are loaded, so they may be named nowhere else. */
  #ownParameterUse({ statement, operands }: Step): string | undefined {
    for (const operand of operands.flat()) {
      const name = operand.kind === "node" ? this.#own.get(operand.node)?.name : undefined;
      if (name === undefined) continue;
      if (parameterLoad(this.#question.module.operation(statement))?.parameter !== name)
        return `uses the parameter ${quoted(name)} in another way than by loading it whole`;
    }
    return undefined;
  }

  #accessReason(step: Step, access: Access): string | undefined {
    const { operands } = step;
    const { space, address, written } = access;
    if (space === "param") return undefined;
    const values = (written ?? []).flatMap((index) => operands[index] ?? []);
    if (values.some((value) => isOwnDerived(this.#flow.baseOf(value))))
      return "stores the address of an output";
    if (space === "shared" || space === "local") return undefined;
    const at = address.flatMap((index) => operands[index] ?? []);
    const verb = written === undefined ? "loads from" : "writes to";
    if (this.#flow.isTainted(at)) return `${verb} an address that depends on what a site computes`;
    const place = this.#flow.placeOf(access, step);
    if (place === "own" || place === "private") return undefined;
    if (place === undefined) return `${verb} an address that is not shown to be within a parameter`;
    if (written === undefined) return undefined;
    const index = sharedParameter(this.#flow.baseOf(operands[address[0]!]![0]!));
    if (index === undefined) return "writes to a variable of the module";
    throw this.#sharedStore(step, index);
  }

  #sharedStore({ statement }: Step, index: number): PipelineError {
    const { module, entry } = this.#question;
    const { start, end } = module.spanOf(statement);
    const { name } = entry.parameters[index]!;
    const found = `${quoted(module.text.slice(start, end))} at ${this.#place(statement)}, which writes through parameter ${index}, ${quoted(name)}`;
    const message = `expected ${quoted(entry.name)} to write only through parameters whose arguments are \`output\` or \`slices\`, found ${found}`;
    return new PipelineError("INVALID_ARGUMENT", message);
  }

  #place(statement: number): string {
    const { text } = this.#question.module;
    return `line ${text.slice(0, this.#question.module.spanOf(statement).start).split("\n").length}`;
  }
}

const DEPENDS_ON_ADDRESS = "decides by the address of an output";
