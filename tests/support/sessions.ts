// Console blocks of a document, run as a reader would: files that it shows are there, and each command prints what stands
// below it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.js";

/** A fenced block; one that is a file has the file's name behind the language. */
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
  /** What the document says that they print. */
  readonly shown: string;
}

/**
 * Runs all console blocks in one shell.
 *
 * @param runs whether a command is run; what it prints is left out with it
 */
export function runSessions(
  blocks: readonly Block[],
  folder: string,
  env: NodeJS.ProcessEnv,
  runs: (command: string) => boolean = () => true,
): Session {
  const script: string[] = ["exec 2>&1"];
  const shown: string[] = [];
  for (const { language, file, text } of blocks) {
    if (file !== "") script.push(`mkdir -p $(dirname ${file}); cat >${file} <<'END'\n${text}END`);
    if (language !== "console") continue;
    for (const command of text.split(/^(?=\$ )/m)) {
      const [words = "", ...lines] = command.slice(2).split("\n");
      if (!runs(words)) continue;
      script.push(words);
      shown.push(lines.join("\n"));
    }
  }
  const { stdout } = spawnSync("sh", ["-c", script.join("\n")], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { printed: stdout, shown: shown.join("") };
}
