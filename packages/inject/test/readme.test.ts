// The README's example runs as it stands, against the built package.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the README's example runs", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```js\n(.*?)```/s.exec(readme)![1]!;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
  });
  expect(output).toContain("[ 'out F32 z', 'in F32 x' ]\n[ 12 ]\n");
  expect(output).toContain("\tmov.f32 %_x1, %f1;\n\tmul.ftz.f32 %_x0, %_x1, %_x1;\n\tmov.f32 %f2, %_x0;\n");
});
