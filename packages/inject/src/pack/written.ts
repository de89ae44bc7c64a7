// Which variables of a module a thread may write. A variable is read-only if every address that is derived from its
// name is only used for loads. Addresses are followed through registers, from instruction to instruction in any order
// of execution. An address that goes anywhere else (into memory, a call, a site, an instruction not listed here) counts
// as written through.
import type { PtxDeclaration, PtxModule, PtxUse } from "@mm-ptx/ptx";

/** Operations that read from an address, and operations whose result is not an address. */
const READING = new Set(["ld", "ldu", "prefetch", "prefetchu", "setp"]);
/** Operations that compute a value, possibly an address, from their other operands. */
const MAKING = new Set([
  ...["mov", "cvta", "cvt", "selp"],
  ...["add", "sub", "mul", "mad", "min", "max"],
  ...["and", "or", "xor", "not", "shl", "shr"],
]);

/** How code uses the addresses of a module's variables. */
interface Writing {
  /** Variables that a thread may write. */
  readonly written: ReadonlySet<string>;
  /** Registers that may hold the address of a variable: a stub that names one may write there. */
  readonly holders: ReadonlySet<string>;
}

/** @param exposed registers, with `%`, that stubs may use in any way */
export function writingIn(code: PtxModule, exposed: ReadonlySet<string>): Writing {
  const flow = new Flow();
  for (const uses of byStatement(code.names.uses)) {
    const [{ statement }] = uses as [PtxUse];
    if (code.statements.kind(statement) !== "instruction") flow.escape(uses);
    else {
      const { opcode, operands } = code.instruction(statement);
      const operation = opcode.split(".", 1)[0]!;
      const [target] = operands;
      if (READING.has(operation)) continue;
      if (!MAKING.has(operation) || target === undefined) flow.escape(uses);
      else {
        const isTarget = ({ span }: PtxUse): boolean =>
          target.span.start <= span.start && span.end <= target.span.end;
        const made = uses.filter(isTarget);
        flow.add(
          uses.filter((use) => !isTarget(use)),
          made,
        );
        flow.escape(made.filter((use) => leavesFunction(use.declaration) || exposed.has(use.name)));
      }
    }
  }
  return { written: flow.escapedVariables(), holders: flow.holders() };
}

/** Whether it is a function's result register; undeclared names count as such. */
const leavesFunction = (declaration: PtxDeclaration | undefined): boolean =>
  declaration === undefined || declaration.kind === "parameter";

function byStatement(uses: readonly PtxUse[]): PtxUse[][] {
  const groups: PtxUse[][] = [];
  for (const use of uses) {
    const last = groups.at(-1);
    if (last?.[0]?.statement === use.statement) last.push(use);
    else groups.push([use]);
  }
  return groups;
}

/** The names from which each name gets its value; registers are distinguished by their declaration. */
class Flow {
  readonly #sources = new Map<string, { readonly target: PtxUse; readonly sources: PtxUse[] }>();
  readonly #escaped: PtxUse[] = [];

  add(sources: readonly PtxUse[], targets: readonly PtxUse[]): void {
    for (const target of targets) {
      const key = keyOf(target);
      const known = this.#sources.get(key);
      if (known === undefined) this.#sources.set(key, { target, sources: [...sources] });
      else known.sources.push(...sources);
    }
  }

  escape(uses: readonly PtxUse[]): void {
    for (const use of uses) this.#escaped.push(use);
  }

  /** The module's variables whose address an escaped name may hold. */
  escapedVariables(): Set<string> {
    const variables = new Set<string>();
    const seen = new Set<string>();
    for (let use = this.#escaped.pop(); use !== undefined; use = this.#escaped.pop()) {
      const key = keyOf(use);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isVariable(use)) variables.add(use.name);
      this.escape(this.#sources.get(key)?.sources ?? []);
    }
    return variables;
  }

  /** The registers that a variable's address may reach. */
  holders(): Set<string> {
    const targets = new Map<string, PtxUse[]>();
    const found: PtxUse[] = [];
    for (const { target, sources } of this.#sources.values()) {
      for (const source of sources) {
        if (isVariable(source)) found.push(target);
        const known = targets.get(keyOf(source));
        if (known === undefined) targets.set(keyOf(source), [target]);
        else known.push(target);
      }
    }
    const seen = new Set<string>();
    const holders = new Set<string>();
    for (let use = found.pop(); use !== undefined; use = found.pop()) {
      const key = keyOf(use);
      if (seen.has(key)) continue;
      seen.add(key);
      holders.add(use.name);
      for (const target of targets.get(key) ?? []) found.push(target);
    }
    return holders;
  }
}

const isVariable = ({ declaration }: PtxUse): boolean =>
  declaration?.scope === 0 && declaration.kind === "variable";

const keyOf = ({ name, declaration }: PtxUse): string => `${declaration?.span.start ?? ""} ${name}`;
