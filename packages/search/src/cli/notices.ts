// What commands say besides their results.
import type { LoadedRun } from "../node/open.js";
import { type Colors, printable, shellWord } from "./framework.js";

/** Lines for stderr. */
export const noticeText = (lines: readonly string[], { dim }: Colors): string =>
  lines.map((line) => `${dim(printable(line))}\n`).join("");

/** What is said of a run whose last snapshot is older than its log; nothing for others. */
export const newerNotice = (folder: string, { hasNewer }: LoadedRun): readonly string[] =>
  hasNewer
    ? [
        `the log has batches after the last snapshot, which are left out; \`mm-ptx-search resume ${shellWord(folder)}\` computes them again`,
      ]
    : [];
