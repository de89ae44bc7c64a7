// A temporary folder for the files of a test, with ways to create links and list contents.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export class Folder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "mm-ptx-cli-")));

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, text = ""): string {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
    return this.at(name);
  }

  read(name: string): string {
    return readFileSync(this.at(name), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
