// What the macros of ptx_inject.h cost nvcc: a file with 64 sites, compared with the same file with
// handwritten asm statements to which the sites expand. The times are CPU time of nvcc and its children; the
// minimum of several alternating rounds counts, because most of it is nvcc's start-up. Without nvcc there are
// no rows.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SITES = 64;
const ROUNDS = 9;
const BUDGET = 1.5;
const LETTERS = { MOD: "m", OUT: "o", IN: "i" };
const CONSTRAINTS = { MOD: '"+f"', OUT: '"=f"', IN: '"f"' };

/** The directions of the operands of each site, in canonical order. */
const SHAPES = [
  ["MOD", "OUT", "IN"],
  ["MOD", "MOD", "OUT", "OUT", "IN", "IN", "IN", "IN"],
  // Many operands. The work of the preprocessor for each of them is a third of the total here.
  [...Array(11).fill("MOD"), ...Array(11).fill("OUT"), ...Array(10).fill("IN")],
];

export async function run() {
  if (spawnSync("nvcc", ["--version"]).error !== undefined) return [];
  return SHAPES.map(row);
}

function row(directions) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const sources = [
      ["macros", macroSite, "#include <ptx_inject.h>\n"],
      ["asm", asmSite, ""],
    ].map(([name, site, head]) => {
      const file = join(folder, `${name}.cu`);
      writeFileSync(file, kernel(directions, site, head));
      return file;
    });
    const least = sources.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < ROUNDS; round++) {
      sources.forEach((file, i) => {
        least[i] = Math.min(least[i], compile(file));
      });
    }
    const [macros, written] = sources.map((file) => sitesOf(readFileSync(`${file}.ptx`, "utf8")));
    if (macros.length === 0 || macros.join() !== written.join()) throw new Error("expected the same sites");
    const [ours, yardstick] = least;
    const ratio = ours / yardstick;
    const name = `nvcc -ptx of ${SITES} sites with ${directions.length} operands (yardstick: asm by hand)`;
    return {
      name,
      ours,
      yardstick,
      ratio,
      budget: BUDGET,
      reference: null,
      unit: "ms",
      pass: ratio <= BUDGET,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of processor time. */
function compile(file) {
  const include = dirname(fileURLToPath(import.meta.resolve("@mm-ptx/inject/ptx_inject.h")));
  // Bash's `time` includes the children of nvcc; Node only reports the sum for all children of this process.
  const script = 'TIMEFORMAT="%U %S"; time nvcc -ptx -arch=compute_75 -I "$1" -o "$2.ptx" "$2"';
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", include, file], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const [user, system] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

function kernel(directions, site, head) {
  const sites = Array.from({ length: SITES }, (_, i) => `  ${site(`site${i}`, directions)}\n`).join("");
  return `${head}extern "C" __global__ void k(float* f, const float* g) {
  float a[${directions.length}];
  for (int j = 0; j < ${directions.length}; j++) a[j] = g[threadIdx.x + j];
${sites}  for (int j = 0; j < ${directions.length}; j++) f[threadIdx.x + j] = a[j];
}
`;
}

/** The inputs come first, so that the macros have to sort the operands. */
function macroSite(name, directions) {
  const operands = ["IN", "OUT", "MOD"].flatMap((wanted) =>
    directions.flatMap((direction, i) =>
      direction === wanted ? [`PTX_${direction}(F32, n${i}, a[${i}])`] : [],
    ),
  );
  return `PTX_INJECT("${name}", ${operands.join(", ")});`;
}

function asmSite(name, directions) {
  const lines = (wanted, text) =>
    directions.flatMap((direction, i) => (wanted.includes(direction) ? [text(i)] : []));
  const text = [
    "{",
    ...lines(["MOD", "OUT", "IN"], (i) => `.reg .f32 %%_x${i};`),
    ...lines(["MOD", "IN"], (i) => `mov.f32 %%_x${i}, %${i};`),
    `// PTX_INJECT_START ${name}`,
    ...directions.map((direction, i) => `// _x${i} ${LETTERS[direction]} f32 F32 n${i}`),
    "// PTX_INJECT_END",
    ...lines(["MOD", "OUT"], (i) => `mov.f32 %${i}, %%_x${i};`),
  ];
  const bound = (wanted) => lines(wanted, (i) => `${CONSTRAINTS[directions[i]]}(a[${i}])`).join(", ");
  return `asm("${text.join("\\n\\t")}\\n\\t}" : ${bound(["MOD", "OUT"])} : ${bound(["IN"])});`;
}

/** The lines of all markers. */
const sitesOf = (ptx) => ptx.match(/^\t\/\/ (PTX_INJECT_|_x).*$/gm) ?? [];
