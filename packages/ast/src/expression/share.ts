// Common subexpressions: which nodes are used more than once, and when each is computed. AST PTX has no names for
// values, but a routine can use its arguments any number of times. So common values are computed in stages: a stage
// computes the values that depend only on earlier ones, and the next stage is a routine that takes them as arguments.
import { type Expression, Operation } from "./expression.js";
import { argsOf, distinctNodes } from "./walk.js";

/** A stage: the values that it computes one after the other, and those of earlier stages that later ones still need. */
export interface Stage {
  /** The arguments of the stage, in order. */
  readonly given: readonly Expression[];
  /** The arguments that it passes on, before what it computes. */
  readonly kept: readonly Expression[];
  readonly computes: readonly Expression[];
}

/** Makes equal subexpressions the same node. */
export function unify(root: Expression): Expression {
  const unified = new Map<Expression, Expression>();
  const numbers = new Map<Expression, number>();
  const known = new Map<string, Expression>();
  for (const node of distinctNodes(root)) {
    const args = argsOf(node).map((arg) => unified.get(arg)!);
    const key = keyOf(node, args, numbers);
    let one = known.get(key);
    if (one === undefined) {
      const same = args.every((arg, index) => arg === argsOf(node)[index]);
      one = same || node.kind !== "operation" ? node : new Operation(node.operation, args);
      known.set(key, one);
      numbers.set(one, numbers.size);
    }
    unified.set(node, one);
  }
  return unified.get(root)!;
}

function keyOf(
  node: Expression,
  args: readonly Expression[],
  numbers: ReadonlyMap<Expression, number>,
): string {
  switch (node.kind) {
    case "variable":
      return `variable ${node.name}`;
    case "constant":
      return `constant ${node.bits}`;
    case "operation":
      return `${node.operation} ${args.map((arg) => numbers.get(arg)!).join(" ")}`;
  }
}

/** The stages of an expression returned by `unify`; the last stage computes its value. */
export function stagesOf(root: Expression): Stage[] {
  const nodes = distinctNodes(root);
  const common = commonOperations(nodes);
  const stageOf = new Map<Expression, number>();
  for (const node of nodes) {
    let stage = 0;
    for (const arg of argsOf(node)) stage = Math.max(stage, stageOf.get(arg)! + (common.has(arg) ? 1 : 0));
    stageOf.set(node, stage);
  }
  const last = stageOf.get(root)!;
  const computes: Expression[][] = Array.from({ length: last + 1 }, () => []);
  for (const node of nodes) if (common.has(node)) computes[stageOf.get(node)!]!.push(node);
  computes[last]!.push(root);

  const lastUse = lastUses(computes, common);
  const stages: Stage[] = [];
  let given: readonly Expression[] = [];
  computes.forEach((values, stage) => {
    const kept = given.filter((value) => lastUse.get(value)! > stage);
    stages.push({ given, kept, computes: values });
    given = [...kept, ...values];
  });
  return stages;
}

/** Operations that are operands more than once. */
function commonOperations(nodes: readonly Expression[]): ReadonlySet<Expression> {
  const used = new Set<Expression>();
  const common = new Set<Expression>();
  for (const node of nodes) {
    for (const arg of argsOf(node)) {
      if (used.has(arg) && arg.kind === "operation") common.add(arg);
      used.add(arg);
    }
  }
  return common;
}

/** The last stage that needs each common value. */
function lastUses(
  computes: readonly (readonly Expression[])[],
  common: ReadonlySet<Expression>,
): ReadonlyMap<Expression, number> {
  const lastUse = new Map<Expression, number>();
  computes.forEach((values, stage) => {
    // A node that is not common has one user, so it is visited in one stage only.
    const path = values.flatMap(argsOf);
    for (let node = path.pop(); node !== undefined; node = path.pop()) {
      if (common.has(node)) lastUse.set(node, stage);
      else path.push(...argsOf(node));
    }
  });
  return lastUse;
}
