// Without a backend in its options, a submitter compiles as workers do, even where `auto` prefers a compiler that they do not have.

import { resolveOptions } from "@mm-ptx/cuda/backend";
import { expect, it, vi } from "vitest";
import { openLocal } from "../src/front/local.js";
import { divideOptions } from "../src/options.js";

const asked = vi.hoisted(() => [] as [backend: string, needsWorkers: boolean][]);
const available = vi.hoisted(() => new Set<string>());
vi.mock("@mm-ptx/cuda/backend", async (original) => ({
  ...(await original<object>()),
  localBackend: ({ backend, needsWorkers }: { backend: string; needsWorkers: boolean }) => {
    asked.push([backend, needsWorkers]);
    if (!available.has(`${backend} ${needsWorkers}`)) throw new Error("not here");
    return { name: backend };
  },
}));

function opened(options: { readonly backend?: "ptxas"; readonly pool?: string }): unknown {
  asked.length = 0;
  const [farm, compiler] = divideOptions({ arch: "sm_90", servers: "nats://a", ...options });
  openLocal(farm, resolveOptions(compiler));
  return asked;
}

it("prefers the compilers of workers, then takes any, and never another one than the options name", () => {
  available.add("auto true").add("auto false").add("ptxas false");
  expect(opened({})).toEqual([["auto", true]]);
  expect(opened({ backend: "ptxas" })).toEqual([["ptxas", false]]);
  available.delete("auto true");
  expect(opened({})).toEqual([
    ["auto", true],
    ["auto", false],
  ]);
  available.clear();
  expect(() => opened({})).toThrow("not here");
  expect(() => opened({ pool: "newest" })).not.toThrow();
});
