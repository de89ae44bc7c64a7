// `node site/pictures/terminal.mjs`: records a session of the command line in a scratch folder, and draws it as
// docs/pictures/terminal.svg. Steps appear one after the other, for readers who have not turned motion off. Times are
// left out, so that a recording depends on the programs alone.

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "../../scripts/lib/workspace.mjs";
import { CODE_WIDTH } from "./svg.mjs";

/** Each command with what it is for. */
const SESSION = [
  ["a kernel in PTX, with a marked place", "mm-ptx inject inspect kernel.ptx"],
  [
    "fill the place: z = x * y + x",
    "mm-ptx inject render kernel.ptx --text 'func= fma.rn.f32 %_x0, %_x1, %_x2, %_x1;' -o filled.ptx",
  ],
  ["PTX to machine code, without a GPU or a CUDA toolkit", "mm-ptx compile filled.ptx --arch sm_90"],
  [
    "run it on the CPU",
    "mm-ptx emulate filled.ptx -b 4 -a buffer=x.bin -a buffer=y.bin -a zeros=16 -a zeros=16 -a u32=4 -p f32",
  ],
  [
    "one element too few for the result",
    "mm-ptx emulate filled.ptx -b 4 -a buffer=x.bin -a buffer=y.bin -a zeros=16 -a zeros=12 -a u32=4",
  ],
];

const COLUMNS = 100;
const [SIZE, LINE, LEFT, TOP] = [13, 19, 20, 56];
const WIDTH = Math.ceil(COLUMNS * SIZE * CODE_WIDTH + 2 * LEFT);

/** @typedef {{ words: string, kind: "comment" | "command" | "output" | "error" }} Line */

/** @returns {Line[][]} the lines of each step */
function record() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-terminal-"));
  try {
    copyFileSync(join(ROOT, "apps/quickstart/kernel.ptx"), join(folder, "kernel.ptx"));
    writeFileSync(join(folder, "x.bin"), Float32Array.of(1, 2, 3, 4));
    writeFileSync(join(folder, "y.bin"), Float32Array.of(10, 10, 10, 10));
    const program = join(folder, "mm-ptx");
    const main = join(ROOT, "packages/mm-ptx/dist/cli/main.js");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(program, 0o755);
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, NO_COLOR: "1" };
    return SESSION.map(([comment = "", command = ""]) => {
      const { stdout } = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      return [
        { words: `# ${comment}`, kind: "comment" },
        ...wrapped(`$ ${command}`, " \\").map((words) => /** @type {Line} */ ({ words, kind: "command" })),
        ...stdout
          .trimEnd()
          .replace(/ \(([a-z]+), [\d.]+ m?s\)/, " ($1)")
          .split("\n")
          .flatMap((line) => {
            const kind = line.includes(": error:") ? "error" : "output";
            return wrapped(line, "").map((words) => /** @type {Line} */ ({ words, kind }));
          }),
        { words: "", kind: "output" },
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A line in parts that fit, broken at blanks.
 *
 * @param {string} line
 * @param {string} mark at the end of all parts but the last
 */
function wrapped(line, mark) {
  const text = line.replaceAll("\t", "    ");
  const parts = [];
  let rest = text;
  while (rest.length > COLUMNS) {
    const at = rest.lastIndexOf(" ", COLUMNS - mark.length);
    parts.push(`${rest.slice(0, at)}${mark}`);
    rest = `    ${rest.slice(at + 1)}`;
  }
  return [...parts, rest];
}

/** @param {readonly Line[][]} steps */
function draw(steps) {
  const height = TOP + LINE * (steps.flat().length - 1) + 14;
  let y = TOP;
  const drawn = steps.map((lines, i) => {
    const texts = lines.flatMap(({ words, kind }) => {
      const at = y;
      y += LINE;
      return words === "" ? [] : [`<text x="${LEFT}" y="${at}" class="${kind}">${escaped(words)}</text>`];
    });
    return `<g style="animation-delay:${(i * 1.6).toFixed(1)}s">${texts.join("")}</g>`;
  });
  const style = [
    "text{font:13px ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}",
    ".comment{fill:#8b92a0}.command{fill:#f2f3f5;font-weight:600}.output{fill:#c5cad4}.error{fill:#ff8379}",
    "@media (prefers-reduced-motion: no-preference){g{animation:show .4s both}}",
    "@keyframes show{from{opacity:0}}",
  ].join("");
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="A session: a marked kernel is inspected, filled, compiled, and run on the CPU, where a mistake is found" xml:space="preserve">`,
    `<style>${style}</style>`,
    `<rect width="${WIDTH}" height="${height}" rx="10" fill="#16181d"/>`,
    ...["#e5655b", "#e9b44c", "#4cc38a"].map(
      (ink, i) => `<circle cx="${24 + 20 * i}" cy="22" r="6" fill="${ink}"/>`,
    ),
    ...drawn,
    "</svg>",
  ].join("\n")}\n`;
}

/** @param {string} words */
const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

writeFileSync(join(ROOT, "docs/pictures/terminal.svg"), draw(record()));
