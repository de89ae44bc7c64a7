// The last step of the build, run in the folder of the package: writes the man page of each command into `dist/man`, from the
// tables that parse command lines. `man` of package.json lists them, which a test compares.

import { rmSync } from "node:fs";
import { man } from "../dist/cli/man.js";
import { buildProgram } from "../dist/cli/program.js";

// Pages of commands that no longer exist are not packed.
rmSync("dist/man", { recursive: true, force: true });
const { missing } = /** @type {{ missing: readonly string[] }} */ (
  (await man("dist/man", buildProgram)).json()
);
if (missing.length > 0)
  throw new Error(`expected all packages to be built, found none of ${missing.join(", ")}`);
