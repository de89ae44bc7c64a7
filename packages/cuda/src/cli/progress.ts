// Shows the progress of a compile on a terminal, as one line that is redrawn and finally erased.

import type { PtxCompiler } from "../ptx/compiler.js";
import { counted } from "./framework.js";

const INTERVAL_MS = 100;
const CLEAR_LINE = "\r\x1b[K";

/** Shows the line until the compiler is disposed. */
export async function showProgress(compiler: PtxCompiler, total: number): Promise<void> {
  for await (const { done, failed, cached, perSecond } of compiler.progress({ intervalMs: INTERVAL_MS })) {
    const parts = [
      `${done + failed} of ${counted(total, "cubin")}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(cached > 0 ? [`${cached} from the cache`] : []),
      `${Math.round(perSecond)}/s`,
    ];
    process.stderr.write(`${CLEAR_LINE}${parts.join(", ")}`);
  }
  process.stderr.write(CLEAR_LINE);
}
