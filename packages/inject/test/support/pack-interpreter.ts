// Interprets one thread of a few PTX instructions on u32 registers, with scopes and labels: enough for sites
// and for the branch that `expandSites` puts around them. It throws on anything else.

interface Statement {
  readonly scope: Scope;
  readonly text: string;
}

/** Names are looked up from the innermost scope outwards. */
class Scope {
  readonly registers = new Map<string, number>();
  readonly labels = new Map<string, number>();
  readonly tables = new Map<string, readonly string[]>();

  constructor(readonly parent: Scope | undefined) {}

  find(kind: "labels" | "registers" | "tables", name: string): Scope {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope[kind].has(name)) return scope;
    }
    throw new Error(`expected ${name} among the ${kind}`);
  }
}

type Operation = (...values: number[]) => number;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "add.u32": (a, b) => (a! + b!) >>> 0,
  "mov.b32": (a) => a!,
  "mov.u32": (a) => a!,
  "mul.lo.u32": (a, b) => Math.imul(a!, b!) >>> 0,
  "setp.ge.u32": (a, b) => (a! >= b! ? 1 : 0),
  "setp.lt.u32": (a, b) => (a! < b! ? 1 : 0),
  "sub.u32": (a, b) => (a! - b!) >>> 0,
  "xor.b32": (a, b) => (a! ^ b!) >>> 0,
};

/** A program that takes more steps never ends. */
const MOST_STEPS = 100_000;

/**
 * Runs the text from its beginning to its end.
 *
 * @param registers of the kernel around it, by name with `%`; updated in place
 * @param special values of special registers
 */
export function interpret(
  text: string,
  registers: Map<string, number>,
  special: Readonly<Record<string, number>> = {},
): void {
  const outer = new Scope(undefined);
  for (const [name, value] of registers) outer.registers.set(name, value);
  const statements = read(text, outer);
  let steps = 0;
  for (let at = 0; at < statements.length; ) {
    if (++steps > MOST_STEPS) throw new Error(`expected an end after ${MOST_STEPS} steps`);
    at = step(statements[at]!, at, special);
  }
  for (const name of registers.keys()) registers.set(name, outer.registers.get(name)!);
}

/** Reads statements in order, with their scopes, which get the declarations and labels. */
function read(text: string, outer: Scope): Statement[] {
  const statements: Statement[] = [];
  let scope = outer;
  const plain = text.replace(/\/\/.*/g, "");
  for (const [piece] of plain.matchAll(/[{}]|[\w$]+\s*:|[^{};:\s][^{};:]*;/g)) {
    if (piece === "{") scope = new Scope(scope);
    else if (piece === "}") scope = scope.parent!;
    else if (piece.endsWith(":")) {
      const name = piece.slice(0, -1).trim();
      if (scope.labels.has(name)) throw new Error(`expected one label ${name} in a scope`);
      scope.labels.set(name, statements.length);
    } else if (piece.startsWith(".reg")) {
      const name = /%[\w$]+/.exec(piece)![0];
      if (scope.registers.has(name)) throw new Error(`expected one register ${name} in a scope`);
      scope.registers.set(name, 0xdeadbeef);
    } else if (piece.startsWith(".branchtargets")) {
      // Its label is the one just read.
      const name = [...scope.labels.keys()].at(-1)!;
      scope.tables.set(
        name,
        piece
          .slice(".branchtargets".length, -1)
          .split(",")
          .map((label) => label.trim()),
      );
    } else statements.push({ scope, text: piece.slice(0, -1).trim() });
  }
  if (scope !== outer) throw new Error("expected every scope to end");
  return statements;
}

/** Runs a statement and returns the index of the next one. */
function step({ scope, text }: Statement, at: number, special: Readonly<Record<string, number>>): number {
  const [, guard, opcode, rest = ""] = /^(?:@(%[\w$]+)\s+)?([\w.]+)\s*(.*)$/s.exec(text) ?? [];
  const value = (operand: string): number => {
    if (/^(0x[\dA-Fa-f]+|\d+)U?$/.test(operand)) return Number(operand.replace(/U$/, ""));
    return special[operand] ?? scope.find("registers", operand).registers.get(operand)!;
  };
  if (guard !== undefined && value(guard) === 0) return at + 1;
  const [target, ...sources] = rest.split(",").map((operand) => operand.trim());
  if (opcode === "bra") return scope.find("labels", target!).labels.get(target!)!;
  if (opcode === "brx.idx") {
    const [table] = sources;
    const found = scope.find("tables", table!);
    const label = found.tables.get(table!)![value(target!)];
    if (label === undefined) throw new Error(`expected an index of ${table}, found ${value(target!)}`);
    return found.find("labels", label).labels.get(label)!;
  }
  const operation = OPERATIONS[opcode ?? ""];
  if (operation === undefined) throw new Error(`expected a known instruction, found ${text}`);
  const result = operation(...sources.map(value));
  scope.find("registers", target!).registers.set(target!, result);
  return at + 1;
}
