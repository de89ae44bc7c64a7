// The lock of a worker: those who share run together, and one alone.

import { expect, it } from "vitest";
import { Lock } from "../src/worker/lock.js";

it("lets many in, or one alone, who goes before those that come later", async () => {
  const lock = new Lock();
  const told: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    told.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.push(resolve));
    told.push(`${name} ends`);
  };
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const all = [lock.shared(work("a")), lock.shared(work("b")), lock.alone(work("c")), lock.shared(work("d"))];
  for (let i = 0; i < all.length; i++) {
    await turn();
    ends.shift()!();
  }
  await Promise.all(all);
  expect(told).toEqual([
    "a begins",
    "b begins",
    "a ends",
    "b ends",
    "c begins",
    "c ends",
    "d begins",
    "d ends",
  ]);
  await expect(lock.alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await lock.shared(() => Promise.resolve());
});
