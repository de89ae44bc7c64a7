// `completion`: a script for a shell, made of the tables of all commands. It is static: completing a word starts no program.
import { type Build, type Described, describeAll } from "./described.js";
import type { Outcome } from "./framework.js";
import { bashCompletion } from "./shells/bash.js";
import { fishCompletion } from "./shells/fish.js";
import type { Shell } from "./shells/names.js";
import { zshCompletion } from "./shells/zsh.js";

const SCRIPTS: Readonly<Record<Shell, (described: Described) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export async function completion(shell: Shell, build: Build): Promise<Outcome> {
  const described = await describeAll(build);
  const script = SCRIPTS[shell](described);
  return { ok: true, json: () => ({ ok: true, text: script }), text: () => script };
}
