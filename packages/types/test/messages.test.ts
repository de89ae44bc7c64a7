// The messages for bad description files: each file of goldens/messages/KIND has the message beside it.
// `UPDATE_GOLDENS=1 npm test -- packages/types/test/messages.test.ts` rewrites the messages.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  DescriptionError,
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
} from "../src/index.js";

const FOLDER = fileURLToPath(new URL("goldens/messages", import.meta.url));
const PARSERS = {
  ast: parseAstDescription,
  inject: parseInjectDescription,
  stack: parseStackDescription,
};

function messageOf(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    const { code, message } = error as DescriptionError;
    return `${code}: ${message}\n`;
  }
  return expect.unreachable("expected a refusal");
}

describe.each(Object.entries(PARSERS))("%s descriptions", (kind, parse) => {
  const folder = join(FOLDER, kind);
  const files = readdirSync(folder);
  const names = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));

  it.each(names)("%s", (name) => {
    const golden = join(folder, `${name}.txt`);
    const message = messageOf(parse, readFileSync(join(folder, `${name}.json`), "utf8"));
    if (process.env.UPDATE_GOLDENS === "1") writeFileSync(golden, message);
    expect(existsSync(golden), `expected ${name}.txt beside ${name}.json`).toBe(true);
    expect(message).toBe(readFileSync(golden, "utf8"));
  });

  it("every message belongs to a file", () => {
    const orphans = files.filter((file) => !names.includes(file.replace(/\.(json|txt)$/, "")));
    expect(orphans).toEqual([]);
  });
});
