// Names in exported texts. The arguments of a program are called `in_<register>` and `out_<register>`, and the values in between `t0`, `t1`
// and so on: no keyword, function, macro or special register of C, CUDA or PTX has such a name. Only the name of the function is the caller's.
import { invalid } from "../options.js";
import type { ProgramRegister } from "../spaces/space.js";

/** The registers that a program reads, and those that it writes. */
interface Registers {
  readonly inputs: readonly ProgramRegister[];
  readonly outputs: readonly ProgramRegister[];
}

/** An identifier for each input and each output, in the same order, all different. */
export interface ArgumentNames {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export const argumentNames = ({ inputs, outputs }: Registers): ArgumentNames => ({
  inputs: identifiers("in_", inputs),
  outputs: identifiers("out_", outputs),
});

/** The name of a value in between. */
export const temporaryName = (index: number): string => `t${index}`;

function identifiers(prefix: string, registers: readonly ProgramRegister[]): string[] {
  const used = new Set<string>();
  return registers.map(({ name }) => {
    let identifier = prefix + name.replaceAll(/[^A-Za-z0-9_]/g, "_");
    while (used.has(identifier)) identifier += "_";
    used.add(identifier);
    return identifier;
  });
}

/** A comment that says which register each argument is; none for a program without inputs. */
export function argumentComment({ inputs }: Registers, names: ArgumentNames): string[] {
  const list = inputs.map(({ name }, index) => `${names.inputs[index]} = ${name}`);
  return list.length === 0 ? [] : [`// Arguments: ${list.join(", ")}`];
}

const KEYWORDS = new Set(
  (
    "asm auto bool break case catch char class const const_cast constexpr continue decltype default delete do double dynamic_cast else enum " +
    "explicit export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected " +
    "public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this " +
    "thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while " +
    "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq main"
  ).split(" "),
);

/** The functions of `math.h` and of CUDA's math library, which have variants that end with `f` and `l`. */
const MATH = new RegExp(
  `^(${
    "acos|asin|atan|atan2|cos|sin|tan|acosh|asinh|atanh|cosh|sinh|tanh|exp|exp2|expm1|frexp|ilogb|ldexp|log|log10|log1p|log2|logb|modf|" +
    "scalbn|scalbln|cbrt|fabs|hypot|pow|sqrt|erf|erfc|lgamma|tgamma|ceil|floor|nearbyint|rint|lrint|llrint|round|lround|llround|trunc|" +
    "fmod|remainder|remquo|copysign|nan|nextafter|nexttoward|fdim|fmax|fmin|fma|j0|j1|jn|y0|y1|yn|gamma|drem|significand|" +
    "rsqrt|rcbrt|exp10|sinpi|cospi|erfinv|erfcinv|erfcx|normcdf|normcdfinv"
  })[fl]?$`,
);
/** Other names of the headers that exported C includes, and what the names of its own functions begin with. */
const LIBRARY = new RegExp(
  [
    "^(ptx_|_)",
    "^(mem(cpy|move|cmp|chr|set)|str(cpy|ncpy|cat|ncat|cmp|ncmp|coll|xfrm|chr|rchr|spn|cspn|pbrk|str|tok|error|len|dup|ndup))$",
    "^(is(nan|inf|finite|normal|(greater|less)(equal)?|lessgreater|unordered)|fpclassify|signbit)$",
    "^(u?int(_least|_fast)?[0-9]+|u?intmax|u?intptr|size|float|double)_t$",
    "^(FLT|DBL|LDBL|FP|M|MATH|HUGE|DECIMAL|U?INT[A-Z0-9]*|SIZE|PTRDIFF)_[A-Z0-9_]+$|^(NAN|INFINITY|NULL)$",
  ].join("|"),
);

/**
 * Checks the name of a function of C or CUDA, which is taken as it is.
 * @throws SearchError INVALID_ARGUMENT for a keyword, and for names that the texts or the headers of C use themselves
 */
export function checkFunctionName(name: string): void {
  if (KEYWORDS.has(name) || MATH.test(name) || LIBRARY.test(name))
    throw invalid("a name that C and CUDA do not use themselves", name);
}
