// The native code names a GPU's architecture from its compute capability, with the names of the table.

import { ARCHITECTURES } from "@mm-ptx/ptx";
import { expect, test } from "vitest";
import { nativeArch } from "../../src/native/driver.js";
import { loadNative } from "../../src/native/load.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../driver/support/fake-driver.js";

const plain = ARCHITECTURES.filter(({ suffix }) => suffix === "");

test.runIf(HAS_FAKE_DRIVER && loadNative().native !== undefined).each(plain)("$name", ({ name, number }) => {
  const fake = new FakeDriver([`attribute 75 ${Math.floor(number / 10)}`, `attribute 76 ${number % 10}`]);
  try {
    expect(nativeArch()).toBe(name);
  } finally {
    fake.remove();
  }
});
