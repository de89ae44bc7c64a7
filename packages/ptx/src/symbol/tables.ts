// The codes of the Itanium C++ ABI (External Names): built-in types, operators and abbreviations of the standard
// library.

/** Splits `code text` pairs that are separated by tabs. */
const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs.split("\t").map((pair) => [pair.slice(0, pair.indexOf(" ")), pair.slice(pair.indexOf(" ") + 1)]),
  );

export const BUILT_IN = table(
  "v void\tw wchar_t\tb bool\tc char\ta signed char\th unsigned char\ts short\tt unsigned short\ti int\tj unsigned int\t" +
    "l long\tm unsigned long\tx long long\ty unsigned long long\tn __int128\to unsigned __int128\tf float\td double\t" +
    "e long double\tg __float128\tz ...\tDd decimal64\tDe decimal128\tDf decimal32\tDh _Float16\tDi char32_t\tDs char16_t\t" +
    "Du char8_t\tDa auto\tDc decltype(auto)\tDn decltype(nullptr)",
);

/** What follows an integer literal of a type; other types precede it in parentheses. */
export const SUFFIXES = table("i \tj u\tl l\tm ul\tx ll\ty ull");

export const STANDARD = table(
  "St std\tSa std::allocator\tSb std::basic_string\tSs std::string\tSi std::istream\tSo std::ostream\tSd std::iostream",
);

export const OPERATORS = table(
  "nw  new\tna  new[]\tdl  delete\tda  delete[]\taw  co_await\tps +\tng -\tad &\tde *\tco ~\tpl +\tmi -\tml *\tdv /\trm %\tan &\t" +
    "or |\teo ^\taS =\tpL +=\tmI -=\tmL *=\tdV /=\trM %=\taN &=\toR |=\teO ^=\tls <<\trs >>\tlS <<=\trS >>=\teq ==\tne !=\tlt <\t" +
    "gt >\tle <=\tge >=\tss <=>\tnt !\taa &&\too ||\tpp ++\tmm --\tcm ,\tpm ->*\tpt ->\tcl ()\tix []\tqu ?\tdt .\tds .*",
);

/** The number of operands of operators in expressions. */
export const UNARY: ReadonlySet<string> = new Set("ps ng ad de co nt pp mm".split(" "));

/** Casts, and operators whose operand is a type or an expression in parentheses. */
export const CASTS = table("sc static_cast\tdc dynamic_cast\tcc const_cast\trc reinterpret_cast");
export const OF_TYPE = table("st sizeof\tat alignof\tti typeid");
export const OF_VALUE = table("sz sizeof\taz alignof\tte typeid\tnx noexcept\tsZ sizeof...\ttw throw ");
