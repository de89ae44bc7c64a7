// The conversions among integers of at most 32 bits and f32 that have kernels in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import { directionOf } from "./float-operations.js";
import { Flag } from "./layout.js";
import { bitwise, type Definition, type Recipe, type Register, withArgument } from "./recipe.js";
import { Conversion, DirectedOperation, RareOperation, WordOperation } from "./word-kernels.js";

export interface NarrowInteger {
  readonly bits: number;
  readonly signed: boolean;
}

/** An integer type of at most 32 bits. */
export function narrowInteger(type: string): NarrowInteger | undefined {
  const [, sign, bits] = /^([us])(8|16|32)$/.exec(type) ?? [];
  return bits === undefined ? undefined : { bits: Number(bits), signed: sign === "s" };
}

export const INTEGRAL: Readonly<Record<string, RareOperation>> = {
  rni: RareOperation.nearest,
  rzi: RareOperation.truncate,
  rmi: RareOperation.floor,
  rpi: RareOperation.ceil,
};

/** `cvt`; its third operand and pairs of values are elsewhere. */
export function cvtDefinition(parts: OperationParts): Definition | undefined {
  const { types, choice, saturation, rectify, rounding, flush } = parts;
  const [to = "", from = ""] = types;
  if (choice !== "" || rectify || types.length !== 2 || saturation === "satfinite") return undefined;
  const target = narrowInteger(to);
  const source = narrowInteger(from);
  const saturates = saturation === "sat";
  if (target !== undefined && source !== undefined) {
    const isNeedless = saturates && from === "u8" && to !== "s8";
    if (rounding !== "" || flush || isNeedless) return undefined;
    return {
      flags: bitwise(1),
      build: (recipe) => integerFromInteger(recipe, target, source, saturates),
    };
  }
  if (source !== undefined) return to === "f32" ? floatFromInteger(parts, source) : undefined;
  if (from !== "f32") return undefined;
  const integral = INTEGRAL[rounding];
  if (to === "f32") {
    if (rounding !== "" && integral === undefined) return undefined;
    return {
      flags: (saturates ? 0 : Flag.loose) | (flush ? Flag.clean | Flag.flushes : 0),
      build: (recipe) => {
        const whole = integral === undefined ? 0 : recipe.rare(integral, 0);
        return saturates ? recipe.rare(RareOperation.saturate, whole) : whole;
      },
    };
  }
  if (target === undefined || integral === undefined) return undefined;
  return {
    flags: flush ? Flag.flushes : 0,
    build: (recipe) => integerFromFloat(recipe, target, recipe.rare(integral, 0)),
  };
}

/** The nearest integer of a type for integral f32; 0 for NaNs. */
export function integerFromFloat(recipe: Recipe, { bits, signed }: NarrowInteger, whole: Register): Register {
  if (bits === 32) return recipe.convert(signed ? Conversion.toSigned : Conversion.toUnsigned, whole);
  return clamped(recipe, { bits, signed }, recipe.convert(Conversion.toSigned, whole));
}

/** The integer of a narrower type that is nearest to each signed word. */
export function clamped(recipe: Recipe, { bits, signed }: NarrowInteger, register: Register): Register {
  const greatest = 2 ** (signed ? bits - 1 : bits) - 1;
  const least = signed ? ~greatest >>> 0 : 0;
  const raised = recipe.words(WordOperation.maxSigned, register, recipe.constant(least));
  return recipe.words(WordOperation.minSigned, raised, recipe.constant(greatest));
}

function integerFromInteger(
  recipe: Recipe,
  to: NarrowInteger,
  from: NarrowInteger,
  saturates: boolean,
): Register {
  const source = recipe.extended(0, from.bits, from.signed);
  if (!saturates) return recipe.extended(source, to.bits, to.signed);
  if (from.bits === 32 && !from.signed) {
    const greatest = 2 ** (to.signed ? to.bits - 1 : to.bits) - 1;
    return recipe.words(WordOperation.minUnsigned, source, recipe.constant(greatest));
  }
  if (to.bits < 32) return clamped(recipe, to, source);
  return to.signed ? source : recipe.words(WordOperation.maxSigned, source, recipe.constant(0));
}

function floatFromInteger(
  { rounding, saturation }: OperationParts,
  source: NarrowInteger,
): Definition | undefined {
  const direction = directionOf(rounding);
  if (rounding !== "rn" && direction === undefined) return undefined;
  return {
    flags: bitwise(1) | Flag.clean,
    build: (recipe) => {
      const integer = recipe.extended(0, source.bits, source.signed);
      // Narrower integers are exact.
      const float =
        direction === undefined || source.bits < 32
          ? recipe.convert(source.signed ? Conversion.fromSigned : Conversion.fromUnsigned, integer)
          : recipe.step(
              recipe.kernels.directed,
              withArgument(
                source.signed ? DirectedOperation.fromSigned : DirectedOperation.fromUnsigned,
                direction,
              ),
              [integer],
            );
      return saturation === "sat" ? recipe.rare(RareOperation.saturate, float) : float;
    },
  };
}
