// A program that was shrunk, as a stub of PTX.
import { firstNode, type Graph } from "../simplify/graph.js";
import { ValueClass } from "../simplify/operations.js";

/** A register of a site, as its kernel declares it. */
export interface SiteRegister {
  readonly direction: "in" | "mod" | "out";
  readonly register: string;
}

const TYPES = { [ValueClass.word]: "b32", [ValueClass.float]: "f32", [ValueClass.pred]: "pred" } as const;

/** The stub of a graph whose inputs are operands by index, and whose outputs are the `mod` and then the `out` operands. */
export function stubOfGraph(graph: Graph, operands: readonly SiteRegister[]): string {
  const { inputs, constants, nodes, outputs } = graph;
  const base = firstNode(graph);
  const targets = [
    ...operands.filter(({ direction }) => direction === "mod"),
    ...operands.filter(({ direction }) => direction === "out"),
  ];
  const lines: string[] = [];
  const declared: string[] = [];
  /** Nodes that are written to a register which nothing reads have no other register. */
  const direct = new Map<number, string>();
  for (const [index, value] of outputs.entries()) {
    const { direction, register } = targets[index]!;
    if (direction === "out" && value >= base && !direct.has(value)) direct.set(value, `%${register}`);
  }
  const temporary = (type: string): string => {
    const name = `%s${declared.length}`;
    declared.push(`.reg .${type} ${name};`);
    return name;
  };
  const names = new Map<number, string>();
  const nameOf = (value: number): string => {
    let name = names.get(value);
    if (name !== undefined) return name;
    if (value < inputs.length) name = `%${operands[inputs[value]!.index]!.register}`;
    else {
      const constant = constants[value - inputs.length]!;
      name = constantText(constant.bits >>> 0, constant.class);
      if (constant.class === ValueClass.pred) {
        name = temporary("pred");
        lines.push(`setp.ne.u32 ${name}, ${constant.bits & 1}, 0;`);
      }
    }
    names.set(value, name);
    return name;
  };
  for (const [index, { operation, args }] of nodes.entries()) {
    const sources = args.map(nameOf);
    const type = TYPES[operation.result as keyof typeof TYPES];
    const name = direct.get(base + index) ?? temporary(type);
    names.set(base + index, name);
    lines.push(`${operation.text} ${[name, ...sources].join(", ")};`);
  }
  const moves = outputs.map((value, index) => ({
    type: TYPES[classOf(graph, value)],
    to: `%${targets[index]!.register}`,
    from: nameOf(value),
  }));
  const needed = moves.filter(({ to, from }) => to !== from);
  for (const move of needed) {
    // A register that another move writes is read before.
    if (!needed.some((other) => other !== move && other.to === move.from)) continue;
    const copy = temporary(move.type);
    lines.push(`mov.${move.type} ${copy}, ${move.from};`);
    move.from = copy;
  }
  lines.push(...needed.map(({ type, to, from }) => `mov.${type} ${to}, ${from};`));
  return declared.length === 0 ? lines.join("\n") : ["{", ...declared, ...lines, "}"].join("\n");
}

function classOf({ inputs, constants, nodes }: Graph, value: number): keyof typeof TYPES {
  const constant = constants[value - inputs.length];
  const found =
    inputs[value]?.class ??
    constant?.class ??
    nodes[value - inputs.length - constants.length]!.operation.result;
  return found as keyof typeof TYPES;
}

/** Literals of integers are decimal where they are short. */
function constantText(bits: number, kind: number): string {
  if (kind === ValueClass.float) return `0f${bits.toString(16).padStart(8, "0").toUpperCase()}`;
  return bits < 65_536 ? `${bits}` : `0x${bits.toString(16)}`;
}
