// The page on which a model learns the compiler, run with its recorded answers as a browser would run it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "./support/workspace.js";

const PAGE = join(ROOT, "site/learn");

/** An element as far as the page uses it. */
class PageElement {
  textContent = "";
  disabled = false;
  value = "3";
  readonly style = {};
  readonly parentElement = { clientWidth: 400 };
  readonly classes = new Set<string>();
  readonly attributes = new Map<string, string>();
  readonly listeners: (() => void)[] = [];
  readonly classList = {
    toggle: (name: string, isOn: boolean) => void (isOn ? this.classes.add(name) : this.classes.delete(name)),
  };
  addEventListener(_: string, listener: () => void): void {
    this.listeners.push(listener);
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  /** Draws nothing. */
  getContext(): object {
    return new Proxy({}, { get: () => () => {}, set: () => true });
  }
}

/** Runs the script of the page for a reader who does not want movement, with a clock that every reading sets on by 10 microseconds. */
async function open() {
  const { outputFiles } = await build({
    ...{ absWorkingDir: PAGE, entryPoints: ["main.ts"], write: false, bundle: true, format: "iife" },
    ...{ target: "es2022", platform: "browser", logLevel: "error" },
  });
  const html = readFileSync(join(PAGE, "index.html"), "utf8");
  const elements = new Map(
    Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => [id!, new PageElement()] as const),
  );
  let milliseconds = 0;
  const page: object = createContext({
    document: { getElementById: (id: string) => elements.get(id), documentElement: {} },
    window: { addEventListener: () => {}, clearTimeout: () => {}, setTimeout: () => 0, devicePixelRatio: 1 },
    matchMedia: () => ({ matches: true, addEventListener: () => {} }),
    getComputedStyle: () => ({ getPropertyValue: () => "#000" }),
    performance: { now: () => (milliseconds += 0.01) },
    ...{ atob, TextDecoder, TextEncoder },
  });
  runInContext(outputFiles[0]!.text, page);
  return { text: (id: string) => elements.get(id)!.textContent, element: (id: string) => elements.get(id)! };
}

describe("the page that learns", () => {
  it("learns until asking the model beats asking the compiler, and begins again", async () => {
    const { text, element } = await open();
    expect(text("count")).toBe("900 of 900 programs");
    const [, since] = /^Since program (\d+), asking the model beats asking the compiler\.$/.exec(
      text("moment"),
    )!;
    expect(Number(since)).toBeLessThan(300);
    expect(element("verdict").classes).toContain("pays");
    // The times that were recorded, and where they come from.
    const { asking, compiler } = JSON.parse(readFileSync(join(PAGE, "recorded.json"), "utf8"));
    expect(text("source")).toContain(`NVIDIA's compiler, version ${compiler}`);
    expect(text("source")).toContain(`took it ${asking / 1000} ms on the machine that recorded them`);
    expect(text("compiler")).toBe(`${asking / 1000} ms a program`);
    for (const [plot, name] of [
      ["plot-0", "instructions"],
      ["plot-1", "registers"],
    ] as const) {
      const label = element(plot).attributes.get("aria-label")!;
      const [, error, constant] = /: off by ([\d.]+), the best constant by ([\d.]+)$/.exec(label)!;
      expect(label).toContain(name);
      expect(Number(error)).toBeLessThan(0.5 * Number(constant));
    }
    expect(text("stream").split("\n")).toHaveLength(6);
    expect(text("stream").split("\n").at(-1)).toMatch(/^ *\d+ +\d+ {3}\S/);
    for (const listener of element("again").listeners) listener();
    expect(text("count")).toBe("15 of 900 programs");
    expect(text("moment")).toBe("Asking the compiler is still better.");
    expect(element("verdict").classes).not.toContain("pays");
  });
});
