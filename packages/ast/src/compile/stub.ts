// The text of a stub, in the output region. The declaration contains the number of registers, which is known last, so
// it is written into a gap before the instructions.
import { Pair, Region, Value } from "./addresses.js";
import type { Arena } from "./arena.js";
import { copyElsewhere, copyValue, lengthOf, writeText } from "./text.js";

/** Room for `{\n.reg .f32 %ast<4294967295>;\n`. */
const GAP = 32;

export class Stub {
  arena!: Arena;
  /** The number of bytes of the region in use, including the gap. */
  written = 0;
  /** The number of registers of the stub. */
  registerCount = 0;

  begin(arena: Arena): void {
    this.arena = arena;
    this.written = GAP;
    this.registerCount = 0;
  }

  write(text: string): void {
    const { arena } = this;
    arena.reserve(Region.output, this.written + text.length);
    writeText(arena.view, arena.start(Region.output) + this.written, text);
    this.written += text.length;
  }

  /** Writes the value at an address in a region before the output. */
  writeValue(address: number): void {
    const { arena } = this;
    const length = lengthOf(arena.view, address);
    // The output is the last region, so its growth moves no other region.
    arena.reserve(Region.output, this.written + length + Value.bytes);
    const { view } = arena;
    const at = arena.start(Region.output) + this.written;
    if (length > Value.mostCharacters) copyElsewhere(view, at, address);
    else copyValue(view, at, address);
    this.written += length;
  }

  /** Takes the next register; returns the address of its value. */
  newRegister(): number {
    const { arena } = this;
    const address = this.registerCount * Value.bytes;
    this.registerCount++;
    arena.reserveRegisters(this.registerCount);
    return arena.start(Region.registers) + address;
  }

  /** Ends the line, overwriting the ", " of its last operand. */
  endLine(): void {
    const { arena } = this;
    arena.view.setUint16(arena.start(Region.output) + this.written - 2, Pair.endOfLine, true);
  }

  /** Writes what surrounds the lines; returns where the text begins and ends in the arena. */
  finish(): { readonly start: number; readonly end: number } {
    this.write("}");
    const { arena, registerCount } = this;
    const head = registerCount === 0 ? "{\n" : `{\n.reg .f32 %ast<${registerCount}>;\n`;
    const output = arena.start(Region.output);
    const start = output + GAP - head.length;
    writeText(arena.view, start, head);
    return { start, end: output + this.written };
  }
}
