// The known causes of the compiler's messages, as data: the code that programs switch over, and a hint. docs/hints.md is
// generated from this table.

import type { PtxCompileErrorCode } from "../error.js";
import type { FailedText } from "./failed-text.js";
import * as names from "./hints-names.js";
import * as syntax from "./hints-syntax.js";
import * as targets from "./hints-targets.js";
import * as types from "./hints-types.js";

/** A hint for one place; undefined if the text reveals no more than the message. */
export type FindHint = (text: FailedText, ...found: string[]) => string | undefined;

/** Why PTX does not compile. */
export interface Cause {
  /** The name of the cause in tests and documents, where it is an anchor. */
  readonly name: string;
  /** The compiler's messages; `…` stands for any text. */
  readonly says: readonly string[];
  readonly code: PtxCompileErrorCode;
  /** The general remedy. */
  readonly hint: string;
  /** A more specific remedy; receives the text at each `…`. */
  readonly find?: FindHint;
}

/** Also used for texts that are rejected before the compiler runs. */
export const NOT_ASCII =
  "PTX must be ASCII, including comments; `asciiComments: true` replaces other characters in comments";

/** Specific causes precede the ones they entail: an undeclared name, for example, also has no fitting type. */
export const CAUSES: readonly Cause[] = [
  {
    name: "newer-version",
    says: ["Unsupported .version …; current version is '…'"],
    code: "UNSUPPORTED_VERSION",
    hint: 'write a `.version` that the compiler supports, or compile with the ptxas of a newer toolkit (`backend: "ptxas"`)',
    find: targets.newerVersion,
  },
  {
    name: "version-of-target",
    says: ["PTX .version … does not support .target …"],
    code: "VERSION_TOO_LOW",
    hint: "write the `.version` that introduced the target, or a later one",
    find: targets.versionOfTarget,
  },
  {
    name: "unknown-target",
    says: ["Unsupported .target '…'"],
    code: "SEMANTIC",
    hint: "write a target that the compiler supports; `capabilities()` lists them",
  },
  {
    name: "later-target",
    says: ["SM version specified by .target is higher than default SM version assumed"],
    code: "TARGET_TOO_LOW",
    hint: "compile for the `.target` of the PTX or later (`arch`), or write a lower `.target`",
    find: targets.laterTarget,
  },
  {
    name: "other-target",
    says: [
      "PTX with .target '…' cannot be compiled for architecture '…'",
      "Program with .target '…' cannot be compiled to future architecture",
      "Program with .target '…' cannot be compiled to different SM-family architecture",
    ],
    code: "TARGET_TOO_LOW",
    hint: "PTX for an `a` target compiles only for that architecture, PTX for an `f` target only for its family: pass that `arch`, or write the `.target` without the letter",
    find: targets.otherTarget,
  },
  {
    name: "feature-needs-target",
    says: [
      "Feature '…' requires .target … or higher",
      "Instruction '…' requires .target … or higher",
      "Modifier '…' requires .target … or higher",
      "Modifier '…' on '…' requires .target … or higher",
    ],
    code: "TARGET_TOO_LOW",
    hint: "write the `.target` that the message names, and compile for it or later (`arch`)",
    find: targets.featureNeedsTarget,
  },
  {
    name: "feature-of-architecture",
    says: ["Instruction '…' not supported on .target '…'", "Feature '…' not supported on .target '…'"],
    code: "TARGET_TOO_LOW",
    hint: "some instructions exist only on one architecture or family: write `.target` with its `a` or `f`, and pass the same `arch`",
    find: targets.featureOfArchitecture,
  },
  {
    name: "parameter-space",
    says: ["Entry function '…' uses too much parameter space (… bytes, … max)…"],
    code: "RESOURCE",
    hint: "pass a pointer to a structure; from `.version 8.1` on, kernels take up to 32764 bytes",
    find: targets.tooManyParameters,
  },
  {
    name: "feature-needs-version",
    says: [
      "Feature '…' requires PTX ISA .version … or later",
      "Instruction '…' requires PTX ISA .version … or later",
      "Modifier '…' requires PTX ISA .version … or later",
      "Modifier '…' on '…' requires PTX ISA .version … or later",
    ],
    code: "VERSION_TOO_LOW",
    hint: "write the `.version` that the message names, or a later one",
    find: targets.featureNeedsVersion,
  },
  {
    name: "without-sync",
    says: ["Instruction '…' without '.sync' is not supported on .target …"],
    code: "SEMANTIC",
    hint: "write it with `.sync` and a mask of the participating lanes as its last operand, such as `0xffffffff`",
  },
  {
    name: "no-version",
    says: ["Missing .version directive at start of file …"],
    code: "SYNTAX",
    hint: "PTX begins with `.version`, `.target` and `.address_size 64`, in this order",
    find: syntax.noPtx,
  },
  {
    name: "no-target",
    says: ["Missing .target directive at start of file …"],
    code: "SYNTAX",
    hint: "`.version` is followed by `.target` with an architecture, such as `.target sm_75`",
  },
  {
    name: "end-in-comment",
    says: ["Parsing error near '': unexpected EOF while scanning"],
    code: "SYNTAX",
    hint: "a comment or string is not closed",
    find: syntax.unclosed,
  },
  {
    name: "end-of-text",
    says: ["Parsing error near '': syntax error"],
    code: "SYNTAX",
    hint: "the text ends too early: a `}` or `;` is missing",
    find: syntax.unclosed,
  },
  {
    name: "syntax",
    says: ["Parsing error near '…': …"],
    code: "SYNTAX",
    hint: "look before the place as well: a missing token is reported at the next word",
    find: syntax.unexpected,
  },
  {
    name: "unknown-instruction",
    says: ["Not a name of any known instruction: '…'"],
    code: "SEMANTIC",
    hint: "the PTX ISA has no such instruction",
    find: names.unknownInstruction,
  },
  {
    name: "unknown-modifier",
    says: ["Unknown modifier '…'"],
    code: "SEMANTIC",
    hint: "the PTX ISA has no such modifier or type",
    find: names.unknownModifier,
  },
  {
    name: "unknown-symbol",
    says: ["Unknown symbol '…'"],
    code: "SEMANTIC",
    hint: "declare it before its use, in the same or an enclosing scope",
    find: names.unknownSymbol,
  },
  {
    name: "declared-twice",
    says: [
      "Duplicate definition of variable '…'",
      "Duplicate definition of label '…'",
      "Duplicate definition of function '…'",
    ],
    code: "SEMANTIC",
    hint: "give one of them another name; wrap code with repeated registers and labels in `{ }`",
    find: names.declaredTwice,
  },
  {
    name: "call-parameters",
    says: ["Call has wrong number of parameters"],
    code: "SEMANTIC",
    hint: "a call is `call (results), name, (arguments);` with as many results and arguments as the function declares",
    find: names.callParameters,
  },
  {
    name: "call-argument",
    says: [
      "Type of argument does not match formal parameter '…'",
      "Alignment of argument does not match formal parameter '…'",
    ],
    code: "SEMANTIC",
    hint: "an argument must have the type and alignment of the parameter",
    find: names.callParameters,
  },
  {
    name: "rounding-missing",
    says: [
      "Rounding modifier required for instruction '…'",
      "Rounding modifier or '.approx' modifier required for instruction '…'",
    ],
    code: "SEMANTIC",
    hint: "write a rounding modifier: `.rn`, `.rz`, `.rm` or `.rp`; conversions to integers take `.rni`, `.rzi`, `.rmi` or `.rpi`",
    find: types.roundingMissing,
  },
  {
    name: "rounding-illegal",
    says: ["Illegal rounding modifier for instruction '…'"],
    code: "SEMANTIC",
    hint: "integers are not rounded; floats take `.rn`, `.rz`, `.rm` or `.rp`, if the instruction rounds at all",
  },
  {
    name: "modifier-missing",
    says: [
      ".approx modifier required for instruction '…'",
      "Comparison modifier required for instruction '…'",
      "'…' modifier required for instruction '…'…",
    ],
    code: "SEMANTIC",
    hint: "write it after the instruction's name: `sin.approx.f32`, `setp.lt.f32`, `atom.add.noftz.f16`",
  },
  {
    name: "modifier-illegal",
    says: ["Illegal modifier '…' for instruction '…'…"],
    code: "SEMANTIC",
    hint: "omit it, or use another type: `.ftz` and rounding are for floats, `.lo` and `.wide` for integers",
  },
  {
    name: "special-register",
    says: ["Special register argument not allowed for instruction '…'"],
    code: "SEMANTIC",
    hint: "read special registers with a `mov` of their type: `mov.u32 %r1, %tid.x;`, followed by a `cvt` for floats",
  },
  {
    name: "special-register-written",
    says: ["Read-only special register cannot be destination argument"],
    code: "SEMANTIC",
    hint: "special registers are read-only; the destination comes first",
  },
  {
    name: "result-register",
    says: ["Result register required for instruction '…'"],
    code: "SEMANTIC",
    hint: "the first operand is the register that is written",
  },
  {
    name: "predicate",
    says: ["Predicate expression expected", "Predicate output expected for instruction '…'"],
    code: "SEMANTIC",
    hint: "predicates are registers of type `.pred`, which `setp` writes",
    find: types.notPredicate,
  },
  {
    name: "vector-size",
    says: [
      "Result vector expected",
      "Illegal vector size: …",
      "Argument vector size mismatch for instruction '…'",
    ],
    code: "SEMANTIC",
    hint: "`.v2` and `.v4` take `{a, b}` and `{a, b, c, d}`; for matrices, the PTX ISA lists the number of registers by shape and type",
  },
  {
    name: "state-space",
    says: [
      "State space mismatch between instruction and address in instruction '…'",
      "State space incorrect for instruction '…'",
    ],
    code: "SEMANTIC",
    hint: "load and store with the state space of the variable's declaration; constant memory is read-only",
    find: names.stateSpace,
  },
  {
    name: "instruction-types",
    says: ["Unexpected instruction types specified for '…'"],
    code: "SEMANTIC",
    hint: "the instruction takes another type, or a different number of types",
    find: types.instructionTypes,
  },
  {
    name: "arguments",
    says: ["Arguments mismatch for instruction '…'", "Illegal operand type to instruction '…'"],
    code: "SEMANTIC",
    hint: "the instruction takes another number of operands, or operands of other types",
    find: types.argumentMismatch,
  },
  {
    name: "addresses-of-32-bits",
    says: ["32-Bit compilation is no longer supported"],
    code: "SEMANTIC",
    hint: "addresses have 64 bits: write `.address_size 64`, and keep addresses of global memory in `.b64` registers",
  },
  {
    name: "shared-memory",
    says: [
      "Entry function '…' uses too much shared data (… bytes, … max)",
      "Entry function '…' uses too much shared data (… bytes + … bytes system, … max)",
    ],
    code: "RESOURCE",
    hint: "declare the excess as `.extern .shared`, and pass its size at the launch, where the limit is higher",
    find: targets.tooMuchShared,
  },
  {
    name: "constant-memory",
    says: ["File uses too much global constant data (… bytes, … max)"],
    code: "RESOURCE",
    hint: "keep large tables in global memory",
    find: targets.tooMuchConstant,
  },
  {
    name: "too-much",
    says: [
      "Entry function '…' uses too much …",
      "File uses too much …",
      "Code Size Limit (…) exceeded",
      "Constant register limit exceeded…",
    ],
    code: "RESOURCE",
    hint: "this exceeds the architecture's limit, which the message states",
  },
  {
    name: "extern-function",
    says: ["Unresolved extern … '…'"],
    code: "UNRESOLVED",
    hint: "the compiler produces whole programs: put the function's body into the same text, or link",
  },
  {
    name: "memory",
    says: ["Memory allocation failure…"],
    code: "OUT_OF_MEMORY",
    hint: "make the module smaller, or compile fewer modules at once (`workers`)",
  },
  {
    name: "option",
    says: ["Value '…' is not defined for option '…'"],
    code: "INVALID_ARGUMENT",
    hint: "this compiler is older than the architecture; `capabilities()` lists what it supports",
  },
  {
    name: "not-ascii",
    says: ["Unexpected non-ASCII character encountered on line …"],
    code: "INVALID_ARGUMENT",
    hint: NOT_ASCII,
  },
];
