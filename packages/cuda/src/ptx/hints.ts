// The causes that the compiler's messages are known to have, as data: the code that a program switches over, and what helps.
// docs/hints.md is made of this table.

import type { PtxCompileErrorCode } from "../error.js";
import type { FailedText } from "./failed-text.js";
import * as names from "./hints-names.js";
import * as syntax from "./hints-syntax.js";
import * as targets from "./hints-targets.js";
import * as types from "./hints-types.js";

/** A hint for one place, or nothing when the text does not show more than the message. */
export type FindHint = (text: FailedText, ...found: string[]) => string | undefined;

/** Why PTX does not compile. */
export interface Cause {
  /** Names the cause in tests and documents. */
  readonly name: string;
  /** The compiler's messages; `…` stands for what differs. */
  readonly says: readonly string[];
  readonly code: PtxCompileErrorCode;
  /** What helps in general. */
  readonly hint: string;
  /** What helps here; gets what stands at each `…`. */
  readonly find?: FindHint;
}

/** Of what is refused before the compiler sees it, too. */
export const NOT_ASCII = "PTX is ASCII, comments too; `asciiComments: true` replaces other characters there";

/** Specific causes come before those that they bring with them: what is undeclared also has no type that fits. */
export const CAUSES: readonly Cause[] = [
  {
    name: "newer-version",
    says: ["Unsupported .version …; current version is '…'"],
    code: "UNSUPPORTED_VERSION",
    hint: 'write a `.version` that the compiler knows, or compile with the ptxas of a newer toolkit (`backend: "ptxas"`)',
    find: targets.newerVersion,
  },
  {
    name: "version-of-target",
    says: ["PTX .version … does not support .target …"],
    code: "VERSION_TOO_LOW",
    hint: "write the `.version` that has the target, or a later one",
    find: targets.versionOfTarget,
  },
  {
    name: "unknown-target",
    says: ["Unsupported .target '…'"],
    code: "SEMANTIC",
    hint: "write a target that the compiler knows; `capabilities()` lists them",
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
    hint: "PTX for an `a` target compiles for that architecture alone, PTX for an `f` target for its family: give that `arch`, or write the `.target` without the letter",
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
    hint: "some instructions are those of one architecture or family: write `.target` with its `a` or `f`, and give the same `arch`",
    find: targets.featureOfArchitecture,
  },
  {
    name: "parameter-space",
    says: ["Entry function '…' uses too much parameter space (… bytes, … max)…"],
    code: "RESOURCE",
    hint: "pass a pointer to a structure; with `.version 8.1` kernels take up to 32764 bytes",
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
    hint: "write it with `.sync` and a mask of the lanes that take part as its last operand, such as `0xffffffff`",
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
    hint: "behind `.version` stands `.target` with an architecture, such as `.target sm_75`",
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
    hint: "look before the place, too: what is missing is missed at the next word",
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
    hint: "no instruction of the PTX ISA has such a modifier or type",
    find: names.unknownModifier,
  },
  {
    name: "unknown-symbol",
    says: ["Unknown symbol '…'"],
    code: "SEMANTIC",
    hint: "declare it before its use, in the same scope or one around it",
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
    hint: "give one of them another name; registers and labels that are repeated stand in `{ }` of their own",
    find: names.declaredTwice,
  },
  {
    name: "call-parameters",
    says: ["Call has wrong number of parameters"],
    code: "SEMANTIC",
    hint: "a call is `call (results), name, (arguments);` with as many of both as the function declares",
    find: names.callParameters,
  },
  {
    name: "call-argument",
    says: [
      "Type of argument does not match formal parameter '…'",
      "Alignment of argument does not match formal parameter '…'",
    ],
    code: "SEMANTIC",
    hint: "an argument has the type and alignment of the parameter",
    find: names.callParameters,
  },
  {
    name: "rounding-missing",
    says: [
      "Rounding modifier required for instruction '…'",
      "Rounding modifier or '.approx' modifier required for instruction '…'",
    ],
    code: "SEMANTIC",
    hint: "write how to round: `.rn`, `.rz`, `.rm` or `.rp`; conversions to integers take `.rni`, `.rzi`, `.rmi` or `.rpi`",
    find: types.roundingMissing,
  },
  {
    name: "rounding-illegal",
    says: ["Illegal rounding modifier for instruction '…'"],
    code: "SEMANTIC",
    hint: "integers are not rounded; floats take `.rn`, `.rz`, `.rm` or `.rp`, where the instruction rounds at all",
  },
  {
    name: "modifier-missing",
    says: [
      ".approx modifier required for instruction '…'",
      "Comparison modifier required for instruction '…'",
      "'…' modifier required for instruction '…'…",
    ],
    code: "SEMANTIC",
    hint: "write it behind the instruction's name: `sin.approx.f32`, `setp.lt.f32`, `atom.add.noftz.f16`",
  },
  {
    name: "modifier-illegal",
    says: ["Illegal modifier '…' for instruction '…'…"],
    code: "SEMANTIC",
    hint: "leave it out, or use another type: `.ftz` and rounding are for floats, `.lo` and `.wide` for integers",
  },
  {
    name: "special-register",
    says: ["Special register argument not allowed for instruction '…'"],
    code: "SEMANTIC",
    hint: "special registers are read by `mov` of their own type: `mov.u32 %r1, %tid.x;`, with a `cvt` behind it for floats",
  },
  {
    name: "special-register-written",
    says: ["Read-only special register cannot be destination argument"],
    code: "SEMANTIC",
    hint: "special registers are only read; the destination comes first",
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
    hint: "predicates are registers of type `.pred`, as `setp` writes them",
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
    hint: "`.v2` and `.v4` take `{a, b}` and `{a, b, c, d}`; for matrices the PTX ISA has the number of registers by shape and type",
  },
  {
    name: "state-space",
    says: [
      "State space mismatch between instruction and address in instruction '…'",
      "State space incorrect for instruction '…'",
    ],
    code: "SEMANTIC",
    hint: "load and store with the space that the variable was declared in; constant memory cannot be written",
    find: names.stateSpace,
  },
  {
    name: "instruction-types",
    says: ["Unexpected instruction types specified for '…'"],
    code: "SEMANTIC",
    hint: "the instruction takes another type, or more or fewer of them",
    find: types.instructionTypes,
  },
  {
    name: "arguments",
    says: ["Arguments mismatch for instruction '…'", "Illegal operand type to instruction '…'"],
    code: "SEMANTIC",
    hint: "the number of operands or one of their types is not what the instruction takes",
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
    hint: "declare what is more as `.extern .shared`, and give its size at the launch, where more is allowed",
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
    hint: "the architecture has no more; the message says how much it has",
  },
  {
    name: "extern-function",
    says: ["Unresolved extern … '…'"],
    code: "UNRESOLVED",
    hint: "the compiler makes whole programs: put the function's body into the same text, or link",
  },
  {
    name: "memory",
    says: ["Memory allocation failure…"],
    code: "MEMORY",
    hint: "make the module smaller, or compile fewer at the same time (`workers`)",
  },
  {
    name: "option",
    says: ["Value '…' is not defined for option '…'"],
    code: "INVALID_OPTION",
    hint: "this compiler is older than the architecture; `capabilities()` lists what it knows",
  },
  {
    name: "not-ascii",
    says: ["Unexpected non-ASCII character encountered on line …"],
    code: "REFUSED_INPUT",
    hint: NOT_ASCII,
  },
];
