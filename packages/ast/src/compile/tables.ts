// The data that a compiler writes into an arena: its instruction table, its routines, and the registers of the job.
// They are written when another compiler has used the arena, or when they change.
import type { AstTable } from "@mm-ptx/types/core";
import type { InputNames } from "../inputs.js";
import { InstructionType, Packed } from "../layout.js";
import { Control, Line, Region, Value } from "./addresses.js";
import type { Arena } from "./arena.js";
import { setText, setTextElsewhere, writeText } from "./text.js";
import type { Workplace } from "./workplace.js";

export class Tables {
  /** `add.ftz.f32 ` for each PTX instruction. */
  readonly mnemonics: readonly string[];
  /** The arguments of each PTX instruction. */
  readonly args: readonly number[];
  /** Where each routine begins in the code region, and where the last one ends. */
  readonly routineStarts: readonly number[];
  /** The version of the inputs that is in the arena. */
  #inputsVersion = -1;

  readonly #routines: readonly Uint32Array[];
  readonly #maxArgs: number;

  /** @param routines the words of each routine, up to its return */
  constructor(table: AstTable, routines: readonly Uint32Array[], maxArgs: number) {
    this.#routines = routines;
    this.#maxArgs = maxArgs;
    this.mnemonics = table.instructions.map(({ ptx }) => `${ptx} `);
    this.args = table.instructions.map(({ args }) => args);
    const starts = [0];
    for (const { byteLength } of routines) starts.push(starts.at(-1)! + byteLength);
    this.routineStarts = starts;
  }

  get routineCount(): number {
    return this.#routines.length;
  }

  /** Where the program begins in the code region. */
  get programStart(): number {
    return this.routineStarts[this.#routines.length]!;
  }

  /** Makes sure that everything is in the arena, with the program after the routines. */
  install(place: Workplace, program: Uint32Array, inputs: InputNames): void {
    const { arena } = place;
    const { programStart } = this;
    // The most that a program without routines can need, so that no region before the output has to grow later.
    const most = (program.length / Packed.wordsPerInstruction) * Value.bytes;
    arena.reserve(Region.registers, most);
    arena.reserve(Region.values, most);
    arena.reserve(Region.code, programStart + program.byteLength);
    if (place.owner !== this) {
      this.#installInstructions(arena);
      this.#routines.forEach((words, index) => {
        arena.setWords(arena.start(Region.code) + this.routineStarts[index]!, words);
      });
      this.#inputsVersion = -1;
      place.owner = this;
    }
    if (this.#inputsVersion !== inputs.version) {
      installInputs(arena, inputs.names);
      this.#inputsVersion = inputs.version;
    }
    arena.setWords(arena.start(Region.code) + programStart, program);
  }

  #installInstructions(arena: Arena): void {
    const { args, mnemonics } = this;
    const mostArgs = Math.min(Line.mostArgs, this.#maxArgs);
    arena.reserve(Region.heads, 4 * args.length);
    arena.reserve(Region.lengths, 4 * args.length);
    arena.reserve(Region.mnemonics, Line.mnemonicBytes * args.length);
    const { view } = arena;
    mnemonics.forEach((mnemonic, index) => {
      const count = args[index]!;
      const inLoop = count >= 1 && count <= mostArgs && mnemonic.length <= Line.mnemonicBytes;
      const head = inLoop ? InstructionType.ptx | (count << Packed.auxShift) : 0;
      view.setUint32(arena.start(Region.heads) + 4 * index, head, true);
      view.setUint32(arena.start(Region.lengths) + 4 * index, mnemonic.length, true);
      if (inLoop) {
        writeText(view, arena.start(Region.mnemonics) + Line.mnemonicBytes * index, mnemonic);
      }
    });
    view.setUint32(Control.instructionCount, args.length, true);
  }
}

function installInputs(arena: Arena, names: readonly string[]): void {
  const texts = names.map((name) => `%${name}, `);
  arena.reserve(Region.inputs, Value.bytes * names.length);
  arena.reserve(
    Region.names,
    texts.reduce((sum, text) => sum + roomElsewhere(text), 0),
  );
  let elsewhere = arena.start(Region.names);
  texts.forEach((text, index) => {
    const at = arena.start(Region.inputs) + Value.bytes * index;
    if (text.length <= Value.mostCharacters) {
      setText(arena.view, at, text);
    } else {
      writeText(arena.view, elsewhere, text);
      setTextElsewhere(arena.view, at, elsewhere, text.length);
      elsewhere += roomElsewhere(text);
    }
  });
  arena.view.setUint32(Control.inputCount, names.length, true);
}

/** The bytes of a text that is too long for a value, in whole words. */
function roomElsewhere({ length }: string): number {
  return length > Value.mostCharacters ? Math.ceil(length / 8) * 8 : 0;
}
