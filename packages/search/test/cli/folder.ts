// Folders with configurations for the built program `mm-ptx-search`.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { ROOT } from "../../../../tests/support/workspace.js";

/** A search for vectors whose first two numbers are small, in cells by the other two. `before` is evaluated for each batch. */
const CONFIG = `import { functionEvaluator, gridArchive, isoLine, Search, vectorSpace } from "@mm-ptx/search";
let batches = 0;
export default ({ seed, workers }) => ({
  space: vectorSpace({ dimensions: 4, bounds: [-1, 1] }),
  archive: gridArchive({ axes: [{ name: "c", min: -1, max: 1, bins: 10 }, { name: "half", values: ["left", "right"] }] }),
  emitters: [isoLine({ isoSigma: 0.2 })],
  evaluator: functionEvaluator({
    name: "bowl", measures: ["c", "half"],
    score: async (words, { batch }) => {
      if (process.env.SLOW) await new Promise((resolve) => setTimeout(resolve, 5));
      const [a, b, c, d] = new Float32Array(words.buffer, words.byteOffset, 4);
      return { objective: -(a * a) - b * b, measures: [c, d < 0 ? 0 : 1] };
    },
  }),
  batchSize: 32, seed,
});
`;

export class SearchFolder extends ProgramFolder {
  constructor() {
    super("packages/search/dist/cli/main.js");
    mkdirSync(this.path("node_modules/@mm-ptx"), { recursive: true });
    for (const name of ["search", "stack", "ast", "columns", "types"])
      symlinkSync(join(ROOT, "packages", name), this.path(`node_modules/@mm-ptx/${name}`), "dir");
    this.write("search.mjs", CONFIG);
  }
}
