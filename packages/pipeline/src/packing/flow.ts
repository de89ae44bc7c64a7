// For each register: what the address in it is derived from, and whether it depends on what a site computes. Instructions are
// taken in any order, so what is found holds for every way through the kernel.
import { Base, combined, comparison, difference, isOwn, isOwnDerived, join, sum } from "./base.js";
import { type Access, accessesOf } from "./memory.js";
import { computesValue, type Operand, type Step } from "./steps.js";

/** The memory of a kernel, in which values are not told apart. */
export type Place = "own" | "private" | "shared";

/** Modifiers of 64-bit integers. */
const WIDE = new Set(["b64", "s64", "u64"]);

export class Flow {
  /** By node. */
  readonly bases: Int32Array;
  /** By node: whether the value depends on what a site computes. */
  readonly tainted: Uint8Array;
  /** Places that contain values that depend on what a site computes. */
  readonly taintedPlaces = new Set<Place>();
  /** The flag of `add.cc` and `addc`, of all functions. */
  readonly #carry: Operand;
  /** How many facts have been found. */
  facts = 0;

  /** @param count the number of nodes */
  constructor(count: number) {
    this.bases = new Int32Array(count + 1);
    this.tainted = new Uint8Array(count + 1);
    this.#carry = { kind: "node", node: count, isParameter: false };
  }

  /** Repeats all instructions until nothing new is found. */
  run(steps: readonly Step[]): void {
    let before: number;
    do {
      before = this.facts;
      for (const step of steps) this.#apply(step);
    } while (this.facts !== before);
  }

  /** Adds to what is known of a node. */
  set(node: number, base: number, tainted: boolean): void {
    const joined = join(this.bases[node]!, base);
    if (joined !== this.bases[node] || (tainted && this.tainted[node] === 0)) this.facts++;
    this.bases[node] = joined;
    if (tainted) this.tainted[node] = 1;
  }

  taintPlace(place: Place): void {
    if (this.taintedPlaces.has(place)) return;
    this.taintedPlaces.add(place);
    this.facts++;
  }

  baseOf(operand: Operand): number {
    switch (operand.kind) {
      case "node":
        return this.bases[operand.node]!;
      case "variable":
        return operand.space === "shared" || operand.space === "local" ? Base.PRIVATE : Base.VARIABLE;
      case "constant":
        return operand.value === 0n ? Base.ZERO : Base.VALUE;
      case "special":
        return Base.VALUE;
    }
  }

  isTainted(operands: readonly Operand[]): boolean {
    return operands.some((operand) => operand.kind === "node" && this.tainted[operand.node] === 1);
  }

  /** Whether an instruction runs or not depends on what a site computes. */
  isGuardTainted({ guard }: Step): boolean {
    return guard !== undefined && this.tainted[guard] === 1;
  }

  /** The memory that an access reaches; `undefined` if it is not known which. */
  placeOf({ space, address }: Access, { operands }: Step): Place | undefined {
    if (space === "shared" || space === "local") return "private";
    if (space === "const") return "shared";
    const [place] = operands[address[0]!] ?? [];
    if (place === undefined) return undefined;
    const base = this.baseOf(place);
    if (isOwn(base)) return "own";
    if (base === Base.PRIVATE) return space === "generic" ? "private" : undefined;
    if (base === Base.UNKNOWN || base === Base.ZERO || base === Base.VALUE || base === Base.MIXED)
      return undefined;
    return "shared";
  }

  #apply(step: Step): void {
    const guarded = this.isGuardTainted(step);
    for (const access of accessesOf(step) ?? []) this.#access(step, access, guarded);
    if (!computesValue(step)) return;
    const [targets, ...sources] = step.operands;
    const carry = usesCarry(step);
    const read = [...sources.flat(), ...(carry ? [this.#carry] : [])];
    const isTainted = guarded || this.isTainted(read);
    const base = this.#result(step);
    for (const target of [...(targets ?? []), ...(carry ? [this.#carry] : [])]) {
      if (target.kind === "node") this.set(target.node, base, isTainted);
    }
  }

  #access(step: Step, access: Access, guarded: boolean): void {
    const { operands } = step;
    const { space, address, written, read } = access;
    if (space === "param") {
      this.#parameter(step, access, guarded);
      return;
    }
    const place = this.placeOf(access, step);
    const at = address.flatMap((index) => operands[index] ?? []);
    const isTainted = guarded || this.isTainted(at);
    if (written !== undefined && place !== undefined) {
      const values = written.flatMap((index) => operands[index] ?? []);
      const copied = step.name === "cp" && this.taintedPlaces.has("own");
      if (isTainted || copied || this.isTainted(values)) this.taintPlace(place);
    }
    if (read === undefined) return;
    const contents = place !== undefined && this.taintedPlaces.has(place);
    for (const target of operands[read] ?? []) {
      if (target.kind === "node") this.set(target.node, Base.VALUE, isTainted || contents);
    }
  }

  /** Parameters are nodes like registers, as long as they are named in the instruction. */
  #parameter({ modifiers, operands }: Step, { address, written, read }: Access, guarded: boolean): void {
    const [place] = operands[address[0]!] ?? [];
    const isNamed = place?.kind === "node" && place.isParameter;
    const isWhole = WIDE.has(modifiers.at(-1)!);
    const [from, to] =
      read === undefined
        ? [written!.flatMap((index) => operands[index] ?? []), isNamed ? [place] : []]
        : [operands[address[0]!] ?? [], operands[read] ?? []];
    const isTainted = guarded || this.isTainted(from);
    const bases = from.map((operand) => this.baseOf(operand));
    const base = isNamed && isWhole ? bases.reduce(join, Base.UNKNOWN) : combined(bases);
    for (const target of to) if (target.kind === "node") this.set(target.node, base, isTainted);
  }

  /** The base of what an instruction computes. */
  #result({ name, modifiers, operands, isScalar }: Step): number {
    const sources = operands.slice(1).map((all) => all.map((operand) => this.baseOf(operand)));
    const all = sources.flat();
    const isPlain = isScalar.every((scalar) => scalar) && !modifiers.includes("cc");
    const [a = Base.VALUE, b = Base.VALUE, c = Base.VALUE] = all;
    const isWide = WIDE.has(modifiers.at(-1)!);
    if (!isPlain || all.length !== operands.length - 1) return combined(all);
    switch (name) {
      case "mov":
      case "cvta":
        return isWide || !isOwnDerived(a) ? a : Base.MIXED;
      case "cvt":
        return isWide && WIDE.has(modifiers.at(-2)!) ? a : combined(all);
      case "add":
        return isWide || !all.some(isOwnDerived) ? sum(a, b) : Base.MIXED;
      case "sub":
        return isWide || !all.some(isOwnDerived) ? difference(a, b) : Base.MIXED;
      case "mad":
        return isWide || modifiers[0] === "wide" ? sum(combined([a, b]), c) : combined(all);
      case "selp":
        return isOwnDerived(c) ? Base.MIXED : join(a, b);
      case "setp":
      case "set":
        return comparison(all);
      case "and":
        return isLowMask(operands[2]) || isLowMask(operands[1]) ? Base.VALUE : combined(all);
      default:
        return combined(all);
    }
  }
}

const usesCarry = ({ name, modifiers }: Step): boolean =>
  modifiers.includes("cc") || name === "addc" || name === "subc" || name === "madc";

/** The parts of all alternatives begin at multiples of 256, so this many low bits of an address are the same for all. */
function isLowMask(operands: readonly Operand[] | undefined): boolean {
  const [mask] = operands ?? [];
  return mask?.kind === "constant" && mask.value !== undefined && mask.value >= 0n && mask.value < 256n;
}
