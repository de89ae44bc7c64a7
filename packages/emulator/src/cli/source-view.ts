// Shows lines of CUDA source under a message, if the files can be read.

import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { demangled, type SourceFrame } from "@mm-ptx/ptx";
import { codeFrame } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { STANDARD } from "./framework.js";

/** The size of the largest file that is read, in bytes. */
const LARGEST = 16 * 2 ** 20;
/** The most functions inlined into each other that are shown. */
const SHOWN_FRAMES = 8;

/** A place that editors can follow: `kernel.cu:12:5`, relative to the current folder if it is below it. */
export function placeWord({ file, line, column }: SourceFrame): string {
  const fromHere = isAbsolute(file) ? relative(".", file) : file;
  const path = fromHere.startsWith(`..${sep}`) || isAbsolute(fromHere) ? file : fromHere;
  return [path, line, ...(column === 0 ? [] : [column])].join(":");
}

/** The lines from the innermost inlined function outwards, each with its place; the first place is the heading. */
export function sourceView(frames: readonly SourceFrame[], ptx: string): string[] {
  const shown = frames.slice(0, SHOWN_FRAMES);
  const lines = shown.flatMap((frame, i) => {
    const callee = frames[i - 1]?.function;
    const inlined = callee === undefined ? "inlined" : `${quoted(demangled(callee).path)} was inlined`;
    return [...(i === 0 ? [] : [`${inlined} at ${placeWord(frame)}`]), ...sourceLine(frame, ptx)];
  });
  return shown.length < frames.length ? [...lines, `and ${frames.length - shown.length} more`] : lines;
}

/** A line of a file with a caret; empty if the file cannot be read or is shorter. */
function sourceLine({ file, line, column }: SourceFrame, ptx: string): string[] {
  const folders = ["", ...(ptx === STANDARD ? [] : [dirname(ptx)])];
  for (const folder of folders) {
    const text = readText(resolve(folder, file));
    const content = text?.split("\n", line)[line - 1];
    if (text === undefined || content === undefined) continue;
    const start = text.split("\n", line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = start + Math.min(Math.max(0, column - 1), content.length);
    return codeFrame(text, { start: at, end: at + 1 })
      .split("\n")
      .slice(0, column === 0 ? 1 : 2);
  }
  return [];
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
