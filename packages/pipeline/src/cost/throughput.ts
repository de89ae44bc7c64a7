// How many results each kind of instruction has per clock and multiprocessor, by family of architectures. The letter after a number is
// its source; docs/sass-cost.md has the same table and describes the sources, and a test compares the two.
import type { Kind } from "./opcodes.js";
import type { MatrixOpcode } from "./tensor.js";

/** What executes an instruction. `mufu` also counts bits and converts types, and `lsu` stands for textures too. */
export type SassPipe = "alu" | "control" | "fma" | "fp64" | "lsu" | "mufu" | "other" | "tensor" | "uniform";

/** The pipes, in the order of reports. */
export const SASS_PIPES: readonly SassPipe[] = Object.freeze([
  "fma",
  "alu",
  "fp64",
  "mufu",
  "lsu",
  "tensor",
  "control",
  "uniform",
  "other",
] as const);

/** Architectures with the same rates, by the name of the first. */
export type ThroughputFamily = (typeof FAMILIES)[number];

/** An architecture belongs to the last family that it is not below. */
export const FAMILIES = [
  "sm_75",
  "sm_80",
  "sm_86",
  "sm_87",
  "sm_89",
  "sm_90",
  "sm_100",
  "sm_103",
  "sm_110",
  "sm_120",
] as const;

/**
 * Sources. `g`: CUDA C++ Programming Guide 12, "Throughput of Native Arithmetic Instructions". `p`: the same table of the CUDA C++ Best
 * Practices Guide 13, which has the newer architectures. `w`: NVIDIA's whitepapers and articles on an architecture. `m`: public
 * measurements. `a`: assumed to be as in the nearest architecture that has a source.
 *
 * A dash stands for no rate: such an instruction takes its issue slot alone.
 */
const TABLE = `
kind                 pipe     75     80     86     87     89     90     100    103    110    120
float32              fma      64g    64g    128g   128m   128g   128g   128p   128p   128a   128p
packedFloat32        fma      -      -      -      -      -      -      64m    64m    64a    64a
half                 fma      64g    128g   64w    128m   64g    128g   64p    64m    64a    64p
halfToFloat          fma      64a    64a    64a    64a    64a    64p    64a    64m    64a    64p
integerMultiply      fma      64g    64g    64g    64m    64g    64g    64p    64m    64a    64p
wideMultiply         fma      32g    64g    64g    64a    64g    64g    32a    32m    32a    32a
integerAdd           alu      64g    64g    64g    64a    64g    64g    64p    64m    64a    128p
logic                alu      64g    64g    64g    64a    64g    64g    64a    64m    64a    64p
vote                 alu      64g    64g    64g    64a    64g    64g    64a    64m    64a    128p
float64              fp64     2g     32g    2w     2m     2w     64g    64p    2m     2a     2p
float64Conversion    fp64     2g     16g    2g     2a     2g     16g    16a    2a     2a     2a
integer64Conversion  mufu     2g     16g    2g     2a     2g     16g    16a    2m     2a     2a
conversion           mufu     16g    16g    16g    16a    16g    16g    16a    16a    16a    16p
floatToInteger       mufu     16g    16g    16g    16a    16g    16g    16a    16m    16a    2p
transcendental       mufu     16g    16g    16g    16a    16g    16g    16m    16m    16a    16a
exponential          mufu     16g    16g    16g    16a    16g    16g    16m    32w    16a    16a
bitCount             mufu     16g    16g    16g    16a    16g    16g    16a    16m    16a    16p
memory               lsu      16w    32w    32w    32a    32w    32w    32m    32m    32a    32w
shuffle              lsu      16g    32g    32g    32a    32g    32g    32a    32m    32a    32p
texture              lsu      4w     4w     4w     4a     4w     4w     4a     4a     4a     4w
queued               lsu      -      -      -      -      -      -      -      -      -      -
addressUnit          control  16g    16g    16g    16a    16a    16a    16a    16m    16a    16a
control              control  -      -      -      -      -      -      -      -      -      -
uniform              uniform  -      -      -      -      -      -      -      -      -      -
tensor               tensor   -      -      -      -      -      -      -      -      -      -
unknown              other    -      -      -      -      -      -      -      -      -      -
`;

/** Multiply-adds of the matrix instructions that a warp issues for itself, those of `HMMA` with f16, of `IMMA` and `QMMA` with 8 bits. */
const MATRIX_TABLE = `
opcode               pipe     75     80     86     87     89     90     100    103    110    120
HMMA                 tensor   512w   1024w  512w   -      512w   1280m  1024a  1024m  -      512w
IMMA                 tensor   1024w  2048w  1024w  -      1024w  2560a  256a   256m   -      1024w
QMMA                 tensor   -      -      -      -      1024w  -      -      -      -      1024w
DMMA                 tensor   -      64w    -      -      -      128w   -      -      -      -
`;

/** A row of a table. */
export interface RateRow {
  readonly name: string;
  readonly pipe: SassPipe;
  /** Results per clock and multiprocessor, of which an instruction of a warp has 32; `undefined` if it takes its issue slot alone. */
  readonly rates: ReadonlyMap<ThroughputFamily, number | undefined>;
  /** The row's cells as they are written. */
  readonly cells: readonly string[];
}

function rowsOf(table: string): Map<string, RateRow> {
  const lines = table.trim().split("\n").slice(1);
  return new Map(
    lines.map((line) => {
      const [name, pipe, ...cells] = line.split(/\s+/) as [string, SassPipe, ...string[]];
      const rates = new Map(
        FAMILIES.map((family, i) => [family, cells[i] === "-" ? undefined : Number.parseInt(cells[i]!, 10)]),
      );
      return [name, { name, pipe, rates, cells }];
    }),
  );
}

/** The rows of kinds. */
export const RATES: ReadonlyMap<string, RateRow> = rowsOf(TABLE);
/** The rows of matrix instructions. */
export const MATRIX_RATES: ReadonlyMap<string, RateRow> = rowsOf(MATRIX_TABLE);

/** The pipe of a kind. */
export const pipeOf = (kind: Kind): SassPipe => RATES.get(kind)!.pipe;

/** Results per clock and multiprocessor of a kind; `undefined` if it takes its issue slot alone. */
export const rateOf = (kind: Kind, family: ThroughputFamily): number | undefined =>
  RATES.get(kind)!.rates.get(family);

/** Multiply-adds per clock and multiprocessor of a matrix instruction; `undefined` if nothing is known. */
export const matrixRateOf = (opcode: MatrixOpcode, family: ThroughputFamily): number | undefined =>
  MATRIX_RATES.get(opcode)!.rates.get(family);

/** The family of an architecture, for example `sm_90` of `sm_90a` and `sm_120` of `sm_121`. */
export function familyOf(architecture: string): ThroughputFamily {
  const number = Number(/\d+/.exec(architecture)?.[0] ?? 0);
  return FAMILIES.findLast((family) => Number(family.slice(3)) <= number) ?? FAMILIES[0];
}
