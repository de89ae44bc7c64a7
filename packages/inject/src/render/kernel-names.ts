// What the names of a kernel mean at a place in it, for stubs that use more than their operands.
import { type DeclarationKind, type PtxModule, readModule } from "@mm-ptx/ptx";

/** The names of a PTX text, which is read for that. */
export class KernelNames {
  readonly #module: PtxModule;

  constructor(text: string) {
    this.#module = readModule(text, { tolerant: true });
  }

  /** What a name is at an offset of the text, by the innermost declaration; `undefined` when it is not declared there. */
  kindAt(name: string, offset: number): DeclarationKind | undefined {
    return this.#module.names.meaningIn(this.#module.scopeAt(offset), name)?.kind;
  }
}
