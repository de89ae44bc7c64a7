// How compilers report mistakes in sites. A golden for each compiler contains the line and the first message
// of each mistake; text after PTX_INJECT is the header's, the rest the compiler's own.
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Compiled, fixture, fixturePath, host, nvcc } from "../support/header-compilers.js";
import { hasTool } from "../support/helpers.js";

const SOURCE = fixture("mistakes.cu");

const COMPILERS: Record<string, () => Compiled> = {
  nvcc: () => nvcc(SOURCE, "-arch=compute_75", "-std=c++17"),
  "g++": () => host("g++", SOURCE, "-std=c++17"),
  clang: () => host("clang", SOURCE, "-std=c++17", "-ferror-limit=0"),
};

/**
 * `LINE: message` for each line of the source: the header's message, or else the first error of the compiler.
 */
function mistakes(log: string, own?: string): string {
  const messages = new Map<number, string>();
  let called = "";
  // An error begins with `FILE(LINE): error: ` or `FILE:LINE:COLUMN: error: ` and extends to the next one.
  // For an error inside the header, nvcc and clang print the caller's line after it, and g++ before it.
  for (const error of log.split(/^(?=\S+[(:]\d+.*? error: )/m)) {
    const [, message] = /^\S+ error: (.*)$/m.exec(error) ?? [];
    const place = /source\.(?:cu|cpp)[(:](\d+)/.exec(error) ?? /line (\d+) of \S*source/.exec(error);
    const line = Number(place?.[1] ?? called);
    called = /(\d+):\d+: {3}required from here\n.*$/.exec(error)?.[1] ?? "";
    if (message === undefined || (messages.get(line) ?? "").startsWith("PTX_INJECT")) continue;
    const words = plain(message);
    if (words.startsWith("PTX_INJECT") || !messages.has(line)) messages.set(line, words);
  }
  return [...messages]
    .sort(([a], [b]) => a - b)
    .map(([line, message]) => `${line}: ${message.startsWith("PTX_INJECT") ? message : (own ?? message)}\n`)
    .join("");
}

/** Stands for the messages of a compiler whose version is not pinned. */
const OWN = "in the compiler's own words";

/** The text of a failed assertion, without the condition. */
const plain = (message: string): string =>
  message.replace(
    /^static(?: assertion|_assert) failed(?: due to requirement '.*?')?(?:: | with | )"?(PTX_INJECT: .*?)"?$/,
    "$1",
  );

describe.each(Object.entries(COMPILERS))("%s", (name, compile) => {
  test.skipIf(!hasTool(name))("explains each mistake in one sentence", { timeout: 60_000 }, () => {
    const { status, log } = compile();
    expect(status).not.toBe(0);
    const found = mistakes(log, name === "nvcc" ? undefined : OWN);
    const golden = `mistakes.${name}.golden.txt`;
    if (process.env.UPDATE_GOLDENS === "1") writeFileSync(fixturePath(golden), found);
    expect(existsSync(fixturePath(golden)), golden).toBe(true);
    expect(found).toBe(fixture(golden));
  });

  test("has every site in its golden, with the header's message wherever the header can detect the mistake", () => {
    const lines = fixture(`mistakes.${name}.golden.txt`).split("\n").filter(Boolean);
    const sites = SOURCE.split("\n").flatMap((text, i) => (text.startsWith("  PTX_INJECT") ? [i + 1] : []));
    const seen = lines.map((line) => Number(line.split(":")[0]));
    // Host compilers can't check the width of an asm statement's registers.
    const unseen = sites.filter((site) => !seen.includes(site));
    const begins = SOURCE.split("\n").findIndex((text) => text.includes("only a compiler for the device"));
    expect(unseen.filter((site) => name === "nvcc" || site <= begins)).toEqual([]);
  });
});
