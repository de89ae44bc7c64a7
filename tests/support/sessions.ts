// Runs the console blocks of a document as a reader would: the files that it shows exist, and each command
// prints the text below it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramFolder } from "./command-line.js";
import { ROOT } from "./workspace.js";

/** A fenced block; if it is a file, the file's name is after the language. */
export interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/** @param path relative to the root of the workspace */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(/^```(\S*) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, file, content]) => ({
    language: language!,
    file: file!,
    text: content!,
  }));
}

export interface Session {
  /** What the commands printed, to both streams. */
  readonly printed: string;
  /** The output according to the document. */
  readonly shown: string;
}

/**
 * Runs all console blocks of a document in one shell, with the programs in the folder `bin` on PATH.
 *
 * @param path of the document, relative to the root of the workspace
 * @param runs whether a command is run; its output is left out with it
 */
export function runSessions(
  path: string,
  folder: ProgramFolder,
  runs: (command: string) => boolean = () => true,
): Session {
  const script: string[] = ["exec 2>&1"];
  const shown: string[] = [];
  for (const { language, file, text } of blocksOf(path)) {
    // Other words after the language are no names of files, and files of examples exist.
    const isFile = file.includes(".") && !file.startsWith("examples/");
    if (isFile) script.push(`mkdir -p $(dirname ${file}); cat >${file} <<'END'\n${text}END`);
    if (language !== "console") continue;
    for (const command of text.split(/^(?=\$ )/m)) {
      const [words = "", ...lines] = command.slice(2).split("\n");
      if (!runs(words)) continue;
      script.push(words);
      shown.push(lines.join("\n"));
    }
  }
  const { stdout } = spawnSync("sh", ["-c", script.join("\n")], {
    cwd: folder.folder,
    env: folder.environment({ PATH: `${folder.path("bin")}:${process.env.PATH}` }),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { printed: stdout, shown: shown.join("") };
}
