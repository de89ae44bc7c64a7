// Evolution writes a part of an activation function, a filter, an equation or a hash function: `node dist/main.js [gelu|erf|silu|softplus|tanh|median|planets|hash] [--seconds 60] [--seed 1] [--out folder]`.

import { parseArgs } from "node:util";
import { runDemo } from "@mm-ptx/search/node";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    out: { type: "string" },
  },
});
const [name = "gelu"] = positionals;
const stop = new AbortController();
// Ctrl-C ends evolution; what it found until then is judged. A second one ends the process.
process.once("SIGINT", () => stop.abort());

/** Progress stays on one line of a terminal. */
const clear = process.stderr.isTTY ? "\r\x1b[K" : "";
const end = process.stderr.isTTY ? "" : "\n";
try {
  await runDemo(name, {
    seconds: Number(values.seconds),
    seed: Number(values.seed),
    out: values.out ?? `out/${name}`,
    signal: stop.signal,
    print: (line) => {
      if (clear !== "") process.stderr.write(clear);
      console.log(line);
    },
    progress: (line) => process.stderr.write(`${clear}${line}${end}`),
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
