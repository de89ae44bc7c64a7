// The functions of a translated module that read textures and find elements of surfaces, each created on first use.
import type { ModuleBuilder } from "../binary/module.js";
import { narrowFunction, outsideFunction } from "./element-functions.js";
import { type SurfaceForm, surfaceFunction } from "./surface.js";
import { type TextureForm, textureFunction } from "./texture.js";

export class ImageFunctions {
  readonly #builder: ModuleBuilder;
  readonly #halfToFloat: () => number;
  readonly #made = new Map<string, number>();

  constructor(builder: ModuleBuilder, halfToFloat: () => number) {
    this.#builder = builder;
    this.#halfToFloat = halfToFloat;
  }

  /** @param touch the function that records a read, with the check for races */
  texture(form: TextureForm, pageTable: number, touch: number | undefined): number {
    const builder = this.#builder;
    return this.#once(`texture ${JSON.stringify(form)}`, () => {
      const outside = this.#once("outside", () => outsideFunction(builder));
      const narrow = this.#once("narrow", () => narrowFunction(builder, this.#halfToFloat()));
      return textureFunction(builder, form, { pageTable, outside, narrow, touch });
    });
  }

  surface(form: SurfaceForm, pageTable: number): number {
    return this.#once(`surface ${JSON.stringify(form)}`, () =>
      surfaceFunction(this.#builder, form, pageTable),
    );
  }

  #once(key: string, make: () => number): number {
    const made = this.#made.get(key) ?? make();
    this.#made.set(key, made);
    return made;
  }
}
