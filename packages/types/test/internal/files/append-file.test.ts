// A file that lines are appended to, on a disk that fills up at every byte.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AppendFile, type LinePlace, type Write } from "../../../src/internal/files/append-file.js";
import { textOf } from "../../../src/internal/files/checked-line.js";

function withFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-lines-"));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const full = (): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

/** A disk with room for some bytes, on which a write that does not fit writes what fits. */
function diskOf(bytes: { free: number }): Write {
  return (file, buffer, offset, length, position) => {
    if (bytes.free === 0) throw full();
    const count = writeSync(file, buffer, offset, Math.min(length, bytes.free), position);
    bytes.free -= count;
    return count;
  };
}

/** The lines that a file has, without their checks. */
const linesOf = (path: string): string[] =>
  readFileSync(path, "utf8")
    .split(/(?<=\n)/)
    .map((line) => line.replace(/,"check":"[0-9a-f]{8}"\}\n$/, ""));

const LINES = ["a", "bc", "d".repeat(30), "é✓"];

it("leaves whole lines wherever the disk is full, and writes the rest when there is room", () => {
  withFolder((folder) => {
    const path = join(folder, "lines");
    let total = 1;
    for (let free = 0; free < total; free++) {
      const file = openSync(path, "w+");
      const disk = { free };
      const lines = new AppendFile(file, 0, diskOf(disk));
      const places = LINES.map((line) => {
        const place: LinePlace = { offset: 0, bytes: 0 };
        lines.append(line, place);
        return place;
      });
      total = lines.pending;
      expect(() => lines.flush()).toThrow("ENOSPC");
      const written = readFileSync(path, "utf8");
      expect(linesOf(path).filter((line) => line !== "")).toEqual(
        LINES.slice(0, written.split("\n").length - 1),
      );
      expect(lines.written).toBe(Buffer.byteLength(written));
      expect(lines.written + lines.pending).toBe(total);
      for (const [index, place] of places.entries()) {
        const { buffer, start } = lines.read(place);
        expect(textOf(buffer, start, start + place.bytes).startsWith(LINES[index]!)).toBe(true);
      }
      disk.free = total;
      lines.flush();
      expect(linesOf(path)).toEqual(LINES);
      closeSync(file);
    }
  });
});

it("does not keep a long line that does not fit", () => {
  withFolder((folder) => {
    const path = join(folder, "lines");
    const disk = { free: 100_000 };
    const lines = new AppendFile(openSync(path, "w+"), 0, diskOf(disk));
    const place: LinePlace = { offset: 0, bytes: 0 };
    lines.append("first", place);
    expect(() => lines.append("x".repeat(200_000), place)).toThrow("ENOSPC");
    expect(linesOf(path)).toEqual(["first"]);
    lines.append("second", place);
    disk.free = 300_000;
    lines.append("y".repeat(200_000), place);
    expect(linesOf(path)).toEqual(["first", "second", "y".repeat(200_000)]);
    lines.close();
  });
});

it("does not wait for a disk that takes nothing", () => {
  withFolder((folder) => {
    const lines = new AppendFile(openSync(join(folder, "lines"), "w+"), 0, () => 0);
    lines.append("line", { offset: 0, bytes: 0 });
    expect(() => lines.flush()).toThrow("expected the file to grow, found that no byte was written");
    lines.close();
  });
});
