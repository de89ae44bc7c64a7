// Launch plans in the form that runners take: plain data, which can be sent to threads, and the caller's own buffers.
import type { ArgumentType, Device, DeviceBuffer, LaunchDimensions, TypedArray } from "@mm-ptx/types/device";
import { TypedArgument } from "@mm-ptx/types/device";
import { describeValue } from "@mm-ptx/types/internal";
import { invalid, refuse } from "../check.js";
import { PipelineError } from "../error.js";
import { ELEMENTS } from "./elements.js";
import { BufferSlices, InputData, type LaunchPlan, OutputSlices, type PlanArgument } from "./plan.js";

/** An argument as runners take it. */
export type ResolvedArgument =
  | { readonly kind: "value"; readonly type: ArgumentType; readonly bytes: Uint8Array }
  | { readonly kind: "input"; readonly id: number; readonly data: TypedArray }
  | {
      readonly kind: "output";
      /** The name of the elements' class. */
      readonly elements: string;
      readonly length: number;
      /** The bytes from one alternative's part to the next. */
      readonly stride: number;
      readonly initial: TypedArray | undefined;
    }
  | { readonly kind: "buffer"; readonly buffer: DeviceBuffer }
  | { readonly kind: "slices"; readonly buffer: DeviceBuffer; readonly stride: number };

/** A launch for one program. */
export interface ResolvedPlan {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  readonly args: readonly ResolvedArgument[];
}

/** For each argument, the bytes from one alternative to the next; undefined if all alternatives see the same. */
export const stridesOf = ({ args }: ResolvedPlan): readonly (number | undefined)[] =>
  args.map((argument) =>
    argument.kind === "output" || argument.kind === "slices" ? argument.stride : undefined,
  );

/** For how many programs the caller's own buffers have room. */
export const roomOf = ({ args }: ResolvedPlan): number =>
  Math.min(
    ...args.map((argument) =>
      argument.kind === "slices" ? Math.floor(argument.buffer.byteLength / argument.stride) : Infinity,
    ),
  );

/** The outputs of a plan, in the order of its arguments. */
export const outputsOf = ({ args }: ResolvedPlan): readonly OutputSlices[] =>
  args.flatMap((argument) =>
    argument.kind === "output"
      ? [new OutputSlices(ELEMENTS[argument.elements]!, argument.length, undefined)]
      : [],
  );

/** Parts of buffers are aligned as allocations of the CUDA driver are. */
const ALIGNMENT = 256;
const MOST_STRIDE = 2 ** 32 - ALIGNMENT;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Calls the caller's `launch` and checks what it returns. */
export class PlanReader {
  readonly #launch: (request: { readonly alternatives: number }) => LaunchPlan;
  readonly #device: Device | undefined;
  readonly #parameters: number;
  /** Arrays of inputs have numbers, so that each is uploaded once. */
  readonly #inputs = new Map<TypedArray, number>();
  readonly #plans = new Map<number, ResolvedPlan>();

  constructor(
    launch: (request: { readonly alternatives: number }) => LaunchPlan,
    device: Device | undefined,
    parameters: number,
  ) {
    this.#launch = launch;
    this.#device = device;
    this.#parameters = parameters;
  }

  /** The plan for a number of alternatives. @throws PipelineError INVALID_ARGUMENT, INSUFFICIENT_BUFFER; what `launch` throws */
  plan(alternatives: number): ResolvedPlan {
    let plan = this.#plans.get(alternatives);
    if (plan === undefined) {
      plan = this.#resolve(this.#launch({ alternatives }), alternatives);
      this.#plans.set(alternatives, plan);
    }
    return plan;
  }

  #resolve(plan: LaunchPlan, alternatives: number): ResolvedPlan {
    if (typeof plan !== "object" || plan === null)
      throw invalid("`launch` to return a launch plan, { grid, block, args }", plan);
    const { grid, block, sharedBytes = 0, args } = plan;
    if (!Array.isArray(args)) throw invalid("the `args` of the launch plan as an array", args);
    if (args.length !== this.#parameters)
      throw refuse(
        `expected ${this.#parameters} arguments in the launch plan, one for each parameter of the kernel, found ${args.length}`,
      );
    return {
      grid: dimensions("grid", grid),
      block: dimensions("block", block),
      sharedBytes,
      args: args.map((argument: PlanArgument, i) => this.#argument(argument, i, alternatives)),
    };
  }

  #argument(argument: PlanArgument, i: number, alternatives: number): ResolvedArgument {
    const where = `argument ${i + 1} of the launch plan`;
    if (argument instanceof TypedArgument)
      return { kind: "value", type: argument.type, bytes: argument.bytes };
    if (argument instanceof InputData) {
      const { data } = argument;
      if (!this.#inputs.has(data)) this.#inputs.set(data, this.#inputs.size);
      return { kind: "input", id: this.#inputs.get(data)!, data };
    }
    if (argument instanceof OutputSlices) {
      const { elements, length, initial, bytes } = argument;
      if (bytes > MOST_STRIDE)
        throw refuse(
          `expected at most ${MOST_STRIDE} bytes of output for a program as ${where}, found ${bytes}`,
        );
      return { kind: "output", elements: elements.name, length, stride: aligned(bytes), initial };
    }
    if (argument instanceof BufferSlices) {
      const { buffer, bytes } = argument;
      this.#checkOwner(buffer, where);
      if (buffer.byteLength < bytes * alternatives) {
        throw new PipelineError(
          "INSUFFICIENT_BUFFER",
          `expected a buffer of at least ${bytes * alternatives} bytes as ${where} (${alternatives === 1 ? "1 alternative" : `${alternatives} alternatives`} of ${bytes} bytes), ` +
            `found one of ${buffer.byteLength} bytes`,
        );
      }
      return { kind: "slices", buffer, stride: bytes };
    }
    if (isBuffer(argument)) {
      this.#checkOwner(argument, where);
      return { kind: "buffer", buffer: argument };
    }
    const hint = typeof argument === "number" ? ": give it a type, as in u32(2)" : "";
    throw refuse(
      `expected a value with its type, \`input\`, \`output\`, \`slices\` or a buffer as ${where}, found ${describeValue(argument)}${hint}`,
    );
  }

  /** Without a device, the plan is only asked for the shapes. */
  #checkOwner(buffer: DeviceBuffer, where: string): void {
    if (this.#device !== undefined && buffer.device !== this.#device)
      throw refuse(`expected a buffer of the pipeline's device as ${where}, found one of another device`);
  }
}

const isBuffer = (value: unknown): value is DeviceBuffer =>
  typeof value === "object" && value !== null && "address" in value && "byteLength" in value;

function dimensions(name: string, value: LaunchDimensions): readonly [number, number, number] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const all = [list[0], list[1] ?? 1, list[2] ?? 1];
  if (list.length > 3 || all.some((one) => !Number.isSafeInteger(one) || (one as number) < 1))
    throw refuse(
      `expected \`${name}\` of the launch plan as 1 to 3 numbers from 1 on, found ${list.map(describeValue).join(", ")}`,
    );
  return all as unknown as readonly [number, number, number];
}
