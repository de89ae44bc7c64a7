// The architectures and versions of the PTX ISA: their order, their families, and which code runs or compiles for which
// of them. A new architecture is one row of `ROWS`.

/** An architecture, as compilers take it and as `.target` names it. */
export interface Architecture {
  /** The name, for example `sm_100f`. */
  readonly name: string;
  /** The name without its suffix, for example `sm_100`. */
  readonly base: string;
  /**
   * Determines which architectures PTX with this `.target` compiles for. Without a suffix: this one and all later ones.
   * With `a`, which allows every feature of this architecture: only this one. With `f`, which allows the features that
   * the family shares: this one and the later ones of its family.
   */
  readonly suffix: "" | "a" | "f";
  /** The compute capability as 10 * major + minor, which is also what a cubin's ELF header holds. */
  readonly number: number;
  /** The first architecture of its family, for example `sm_100`. Devices of a family share machine code. */
  readonly family: string;
  /** The first PTX version that has it, for example `8.8`. */
  readonly leastPtxVersion: string;
}

interface Row {
  readonly number: number;
  /** The number of the first architecture of the family. */
  readonly family: number;
  /** By suffix, the first PTX version with that target. */
  readonly ptx: Readonly<Partial<Record<"" | "a" | "f", string>>>;
  /** Compilers take it as `.target` but no longer make machine code for it. */
  readonly isRetired?: true;
  /** The number of the same hardware's new name. */
  readonly renamedTo?: number;
}

/** Oldest first. Tegra's (sm_32, sm_53, sm_62, sm_72, sm_87) share machine code with no other: each is its own family. */
const ROWS: readonly Row[] = [
  { number: 10, family: 10, ptx: { "": "1.0" }, isRetired: true },
  { number: 11, family: 10, ptx: { "": "1.0" }, isRetired: true },
  { number: 12, family: 10, ptx: { "": "1.2" }, isRetired: true },
  { number: 13, family: 10, ptx: { "": "1.2" }, isRetired: true },
  { number: 20, family: 20, ptx: { "": "2.0" }, isRetired: true },
  { number: 21, family: 20, ptx: { "": "2.0" }, isRetired: true },
  { number: 30, family: 30, ptx: { "": "3.0" }, isRetired: true },
  { number: 32, family: 32, ptx: { "": "4.0" }, isRetired: true },
  { number: 35, family: 30, ptx: { "": "3.0" }, isRetired: true },
  { number: 37, family: 30, ptx: { "": "4.1" }, isRetired: true },
  { number: 50, family: 50, ptx: { "": "4.0" }, isRetired: true },
  { number: 52, family: 50, ptx: { "": "4.1" }, isRetired: true },
  { number: 53, family: 53, ptx: { "": "4.2" }, isRetired: true },
  { number: 60, family: 60, ptx: { "": "5.0" }, isRetired: true },
  { number: 61, family: 60, ptx: { "": "5.0" }, isRetired: true },
  { number: 62, family: 62, ptx: { "": "5.0" }, isRetired: true },
  { number: 70, family: 70, ptx: { "": "5.1" }, isRetired: true },
  { number: 72, family: 72, ptx: { "": "6.1" }, isRetired: true },
  { number: 75, family: 70, ptx: { "": "6.3" } },
  { number: 80, family: 80, ptx: { "": "7.0" } },
  { number: 82, family: 80, ptx: { "": "6.2" }, isRetired: true },
  { number: 86, family: 80, ptx: { "": "7.1" } },
  { number: 87, family: 87, ptx: { "": "7.4" } },
  { number: 88, family: 80, ptx: { "": "7.3" } },
  { number: 89, family: 80, ptx: { "": "7.8" } },
  { number: 90, family: 90, ptx: { "": "7.8", a: "8.0" } },
  { number: 100, family: 100, ptx: { "": "8.6", a: "8.6", f: "8.8" } },
  { number: 101, family: 110, ptx: { "": "8.6", a: "8.6", f: "8.8" }, isRetired: true, renamedTo: 110 },
  { number: 103, family: 100, ptx: { "": "8.8", a: "8.8", f: "8.8" } },
  { number: 110, family: 110, ptx: { "": "9.0", a: "9.0", f: "9.0" } },
  { number: 120, family: 120, ptx: { "": "8.7", a: "8.7", f: "8.8" } },
  { number: 121, family: 120, ptx: { "": "8.8", a: "8.8", f: "8.8" } },
];

/** The last minor version of each major version of PTX. */
const LAST_MINORS: Readonly<Record<number, number>> = {
  1: 5,
  2: 3,
  3: 2,
  4: 3,
  5: 1,
  6: 5,
  7: 8,
  8: 8,
  9: 0,
};

/** The name of the architecture of a number, which is 10 * major + minor of its compute capability. */
export const architectureName = (number: number): string => `sm_${number}`;

const architecturesOf = ({ number, family, ptx }: Row): Architecture[] => {
  const base = architectureName(number);
  return Object.entries(ptx).map(([suffix, leastPtxVersion]) =>
    Object.freeze({
      name: `${base}${suffix}`,
      base,
      suffix: suffix as Architecture["suffix"],
      number,
      family: architectureName(family),
      leastPtxVersion,
    }),
  );
};

/** Every `.target` of PTX, oldest first, including those for which compilers no longer make machine code. */
export const TARGETS: readonly Architecture[] = Object.freeze(ROWS.flatMap(architecturesOf));

/** Every architecture that the compiler of CUDA 13.0 makes machine code for, oldest first. */
export const ARCHITECTURES: readonly Architecture[] = Object.freeze(
  TARGETS.filter(({ number }) => ROWS.some((row) => row.number === number && !row.isRetired)),
);

/** Every version of PTX that the compiler of CUDA 13.0 takes, oldest first: `1.0` to `9.0`. */
export const PTX_VERSIONS: readonly string[] = Object.freeze(
  Object.entries(LAST_MINORS).flatMap(([major, last]) =>
    Array.from({ length: last + 1 }, (_, minor) => `${major}.${minor}`),
  ),
);

const TARGETS_BY_NAME = new Map(TARGETS.map((each) => [each.name, each]));
const BY_NAME = new Map(ARCHITECTURES.map((each) => [each.name, each]));

/** The architecture of that exact name that the compiler makes machine code for. */
export function architecture(name: string): Architecture | undefined {
  return BY_NAME.get(name);
}

/** The `.target` of that exact name. */
export function ptxTarget(name: string): Architecture | undefined {
  return TARGETS_BY_NAME.get(name);
}

/** The first PTX version that has a target, for example `8.8` for `sm_100f`. */
export function leastPtxVersion(name: string): string | undefined {
  return ptxTarget(name)?.leastPtxVersion;
}

/**
 * The first architecture of the family of an architecture, for example `sm_100` for `sm_103a`. A well-formed name that
 * is not in the table, such as that of a newer device, gets the family of its compute capability's major version.
 */
export function family(name: string): string | undefined {
  return read(name)?.family;
}

/** Whether machine code made for an architecture runs on a device of another, given by the names of both. */
export function runsOn(code: string, device: string): boolean {
  const [made, at] = [read(code), read(device)];
  if (made === undefined || at === undefined) return false;
  return made.suffix === "a"
    ? made.number === at.number
    : made.family === at.family && made.number <= at.number;
}

/** Whether PTX with a `.target` compiles for an architecture. */
export function compilesFor(target: string, arch: string): boolean {
  const [least, made] = [read(target), read(arch)];
  if (least === undefined || made === undefined) return false;
  if (least.suffix === "a") return made.suffix === "a" && renamed(least.number) === renamed(made.number);
  return least.number <= made.number && (least.suffix === "" || least.family === made.family);
}

const renamed = (number: number): number => ROWS.find((row) => row.number === number)?.renamedTo ?? number;

/** Whether PTX with a `.target` can use the features of another one: `sm_100a` has those of `sm_90`. */
export function hasFeaturesOf(target: string, other: string): boolean {
  return compilesFor(other, target) && !(other.endsWith("f") && read(target)?.suffix === "");
}

/**
 * The architecture to compile for so that the machine code runs on a device. If the `.target` of the PTX has the suffix
 * `a` or `f` and fits the device, so does the result. For a device that is newer than the compiler, it is the latest
 * architecture whose machine code runs there.
 *
 * @returns undefined if the compiler makes no machine code for the device
 */
export function architectureFor(device: string, target = ""): Architecture | undefined {
  const plain = ARCHITECTURES.filter(({ name, suffix }) => suffix === "" && runsOn(name, device)).at(-1);
  const special = architecture(`${plain?.base}${read(target)?.suffix}`);
  const isRight = special !== undefined && runsOn(special.name, device) && compilesFor(target, special.name);
  return isRight ? special : plain;
}

/** Negative if the first version is older than the second, such as `7.8` and `8.0`; 0 if they are the same. */
export function comparePtxVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}

/** The parts of a name, whether it is in the table or not. */
function read(name: string): Pick<Architecture, "suffix" | "number" | "family"> | undefined {
  const known = TARGETS_BY_NAME.get(name);
  if (known !== undefined) return known;
  const [, digits, suffix] = /^sm_(\d{2,3})([af]?)$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const major = Math.floor(Number(digits) / 10);
  const relative = ROWS.find((row) => Math.floor(row.number / 10) === major);
  return {
    suffix: suffix as Architecture["suffix"],
    number: Number(digits),
    family: architectureName(relative?.family ?? major * 10),
  };
}
