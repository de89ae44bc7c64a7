// The caller's registers, kept from one compile to the next. Searches compile thousands of programs for the same
// registers, and their texts are packed again only when they change.
import { invalid, lengthOf } from "./arguments.js";
import { packText } from "./emit/operand-texts.js";
import { Text } from "./nodes.js";
import { checkRegister, type StackRegister } from "./register.js";
import { grown, ROOM } from "./room.js";

export interface CompileInputs {
  /** The registers that input instructions and requests refer to by index. */
  readonly registers: readonly StackRegister[];
}

export class InputRegisters {
  readonly names: string[] = [];
  /** Increases whenever the registers change. */
  version = 0;
  /** The number of characters in the longest name. */
  longestName = 0;
  stacks = new Int32Array(ROOM.entries);
  /** The text of each register, `Text.words` apart. */
  texts = new Int32Array(ROOM.entries * Text.words);
  count = 0;

  /** Loads the registers of a compile. @throws StackPtxError INVALID_ARGUMENT */
  load(registers: readonly StackRegister[]): void {
    if (!Array.isArray(registers)) throw invalid("`registers` as an array", registers);
    const count = lengthOf("registers", registers);
    if (count === this.count) {
      let same = true;
      for (let index = 0; index < count && same; index++) {
        const register: StackRegister | undefined = registers[index];
        same = register?.name === this.names[index] && register?.stackIndex === this.stacks[index];
      }
      if (same) return;
    }
    this.#replace(registers, count);
  }

  #replace(registers: readonly StackRegister[], count: number): void {
    // Each property is read once and then checked, so that what was checked is what is kept, even if the caller's
    // objects change.
    const read: StackRegister[] = [];
    for (let index = 0; index < count; index++) {
      const register: StackRegister | undefined = registers[index];
      if (register === undefined || register === null)
        throw invalid(`a register at \`registers[${index}]\``, register);
      const { name, stackIndex } = register;
      checkRegister(name, stackIndex);
      read.push({ name, stackIndex });
    }
    if (read.length > this.stacks.length) {
      this.stacks = grown(this.stacks, read.length);
      this.texts = new Int32Array(this.stacks.length * Text.words);
    }
    this.names.length = this.count = read.length;
    this.longestName = 0;
    this.version++;
    read.forEach(({ name, stackIndex }, index) => {
      this.names[index] = name;
      this.stacks[index] = stackIndex;
      this.longestName = Math.max(this.longestName, name.length);
      packText(this.texts, index * Text.words, `%${name}, `);
    });
  }
}
