// Calls: the callee, the arguments and results, and whether they match its signature (PTX ISA, call).
import type { PtxName, PtxOperation, PtxValue, PtxVariable } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { Operand } from "../program/operand.js";
import type { Call } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { BranchChecker } from "./branch.js";
import { type ModuleContext, meaningOf } from "./context.js";
import type { OperandChecker } from "./operand.js";
import { takesRegister } from "./types.js";

/** The functions that this emulator provides, as src/built-ins lists them. */
const BUILT_IN = new RegExp(
  "^(vprintf|__assertfail|malloc|free|__cuda(CDP2(PeekAtLastError|Malloc|Free|(Stream|Event)CreateWithFlags|DeviceGetLimit|Occupancy@)|_syscall_cnpv2(SetLastError|(Stream|Event)Create|FuncGetAttribute|GetLimit|@)|(CDP2|_syscall_cnpv2)(GetParameterBufferV2|LaunchDeviceV2|(Stream|Event)Destroy|StreamWaitEvent|EventRecord|Get(LastError|Device(Count)?)|DeviceGetAttribute)))$".replaceAll(
    "@",
    "MaxActiveBlocksPerMultiprocessor(WithFlags)?",
  ),
);

/** The parts of a call as written. */
interface CallParts {
  readonly results: readonly PtxValue[];
  readonly callee: PtxName;
  readonly args: readonly PtxValue[];
  /** The list of functions, or the prototype, of an indirect call. */
  readonly prototype: PtxValue | undefined;
}

/** The parameters and results of a function. */
interface Signature {
  readonly results: readonly PtxVariable[];
  readonly parameters: readonly PtxVariable[];
}

/** Checks calls. */
export class CallChecker {
  readonly #context: ModuleContext;
  readonly #operands: OperandChecker;
  readonly #branches: BranchChecker;

  constructor(context: ModuleContext, operands: OperandChecker, branches: BranchChecker) {
    this.#context = context;
    this.#operands = operands;
    this.#branches = branches;
  }

  /** The checked call; undefined, with problems reported, when it is invalid. */
  check(operation: PtxOperation): Call | undefined {
    const parts = this.#parts(operation);
    if (parts === undefined) return undefined;
    const { callee } = parts;
    const meaning = meaningOf(this.#context, callee);
    if (meaning === undefined || meaning.kind === "mistaken") return undefined;
    const found =
      meaning.kind === "function"
        ? this.#direct(meaning.name, callee.span)
        : meaning.kind === "register"
          ? this.#indirect(meaning.operand.register, meaning.type, parts, operation.span)
          : this.#fail(callee.span, "a function or a register with its address");
    if (found === undefined) return undefined;
    const { signature } = found;
    if (signature === undefined) return undefined;
    const results = this.#values(parts.results, signature.results, true, operation.span);
    const args = this.#values(parts.args, signature.parameters, false, operation.span);
    return results && args && { callee: found.callee, results, args };
  }

  #fail(span: Span, expected: string): undefined {
    this.#context.problems.expect("WRONG_OPERANDS", span, expected);
    return undefined;
  }

  /** Splits `(results), callee, (args), prototype`, where everything but the callee may be absent. */
  #parts({ operands, opcodeSpan, span }: PtxOperation): CallParts | undefined {
    let next = 0;
    const list = () => {
      const value = operands[next];
      if (value?.kind !== "list") return [];
      next++;
      return value.items;
    };
    const results = list();
    const callee = operands[next++];
    if (callee?.kind !== "name") {
      return this.#fail(callee?.span ?? { start: opcodeSpan.start, end: span.end }, "a function to call");
    }
    const args = list();
    const prototype = operands[next++];
    if (operands.length > next) return this.#fail(operands[next]?.span ?? span, "the end of the call");
    return { results, callee, args, prototype };
  }

  #direct(name: string, span: Span) {
    const { functions, declared, problems } = this.#context;
    const index = functions.get(name);
    const signature = declared.get(name);
    if (index !== undefined) return { callee: { kind: "function", function: index } as const, signature };
    if (BUILT_IN.test(name)) return { callee: { kind: "builtin", name } as const, signature };
    problems.add(
      "UNSUPPORTED",
      span,
      `expected a function with a body, found ${quoted(name)}${/^_*cuda/.test(name) ? " of dynamic parallelism" : ""}, which this emulator does not provide`,
    );
    return undefined;
  }

  #indirect(register: number, type: PtxType, { callee, prototype }: CallParts, span: Span) {
    const { declared, functions } = this.#context;
    if (!takesRegister("u64", type, false)) {
      return this.#fail(callee.span, "a 64-bit register with the address of a function");
    }
    if (prototype === undefined) {
      return this.#fail(span, "a prototype after the arguments of an indirect call");
    }
    const found = this.#branches.prototype(prototype);
    if (found === undefined) return undefined;
    const targets = found.names?.flatMap((name) => functions.get(name) ?? []);
    const signature: Signature | undefined = found.prototype ?? declared.get(found.names?.[0] ?? "");
    if (signature === undefined) return this.#fail(prototype.span, "a list of functions");
    return { callee: { kind: "register", register, targets } as const, signature };
  }

  #values(
    values: readonly PtxValue[],
    formal: readonly PtxVariable[],
    isResult: boolean,
    span: Span,
  ): Operand[] | undefined {
    const what = `${isResult ? "result" : "argument"}${formal.length === 1 ? "" : "s"}`;
    if (values.length !== formal.length) {
      const place =
        values.length === 0 ? span : { start: values[0]!.span.start, end: values.at(-1)!.span.end };
      const message = `expected ${formal.length} ${what} in the call, found ${values.length}`;
      this.#context.problems.add("WRONG_OPERANDS", place, message);
      return undefined;
    }
    const operands = values.map((value, index) => this.#value(value, formal[index]!, isResult));
    return operands.every((operand) => operand !== undefined) ? operands : undefined;
  }

  #value(value: PtxValue, formal: PtxVariable, isResult: boolean): Operand | undefined {
    if (value.kind === "name") {
      const meaning = this.#context.meanings.of(value);
      if (meaning?.kind === "variable") {
        const { variable, reference } = meaning;
        if (variable.space !== "param") return this.#fail(value.span, "a register or a variable in `.param`");
        if (variable.bytes !== formal.bytes) {
          const message = `expected ${formal.bytes} bytes for \`${formal.name}\`, found ${quoted(variable.name)} of ${variable.bytes}`;
          this.#context.problems.add("WRONG_TYPE", value.span, message);
          return undefined;
        }
        return { kind: "variable", variable: reference, offset: 0 };
      }
    }
    const type = formal.type as PtxType | undefined;
    if (type === undefined || !Object.hasOwn(TYPES, type) || formal.dimensions.length > 0) {
      return this.#fail(value.span, "a variable in `.param`");
    }
    return this.#operands.check(
      {
        form: {
          name: formal.name,
          kind: "value",
          of: type,
          result: isResult,
          optional: false,
          paired: false,
          handle: false,
          negatable: false,
          vector: undefined,
          constants: [],
          limit: undefined,
          relaxed: false,
          register: isResult,
          sink: isResult,
          special: false,
          addressable: false,
        },
        type,
        space: undefined,
        items: 0,
      },
      value,
    );
  }
}
