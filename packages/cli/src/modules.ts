// Modules of users, whose default export is a configuration.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describeError, quoted } from "@mm-ptx/types/internal";
import { readInput } from "./inputs.js";
import { FileProblem } from "./problems.js";

/**
 * The default export of a module, or what it returns if it is a function.
 *
 * @param call calls the function
 * @param commands commands to suggest if there is no such file
 * @throws FileError, FileProblem
 */
export async function loadDefault(
  path: string,
  call: (value: (...values: unknown[]) => unknown) => unknown,
  commands: readonly string[],
): Promise<unknown> {
  await readInput(path, "*.mjs", commands);
  const url = pathToFileURL(resolve(path)).href;
  try {
    const module: Readonly<Record<string, unknown>> = await import(url);
    const value = module.default;
    if (value !== undefined)
      return await (typeof value === "function" ? call(value as () => unknown) : value);
    const names = Object.keys(module).map(quoted);
    throw new FileProblem(
      path,
      "NO_CONFIG",
      `expected a default export, found ${names.length === 0 ? "none" : names.join(", ")}`,
    );
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw new FileProblem(
      path,
      "CONFIG_FAILED",
      `expected a configuration, but the module threw: ${describeError(error)}`,
      placeIn(url, error),
    );
  }
}

/** The first line of the module in the stack of an error. */
function placeIn(url: string, error: unknown): readonly number[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const at = stack.indexOf(`${url}:`);
  if (at === -1) return [];
  const [, line, column] = /^(\d+)(?::(\d+))?/.exec(stack.slice(at + url.length + 1)) ?? [];
  return [line, column].filter((part) => part !== undefined).map(Number);
}
