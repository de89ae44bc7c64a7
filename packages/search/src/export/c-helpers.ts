// The functions that exported C calls; each is written only if it is used.

const both = (make: (type: string, prefix: string, name: string) => string): Record<string, string> => ({
  ...Object.fromEntries(
    [
      ["f32", "float", "f"],
      ["f64", "double", ""],
    ].map(([type, name, suffix]) => [type!, make(name!, suffix!, type!)]),
  ),
});

const named = (name: string, sources: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(sources).map(([type, source]) => [`${name}_${type}`, source]));

const extremum = (name: string, symbol: string): Record<string, string> => ({
  ...named(
    `ptx_${name}`,
    both(
      (type, _, suffix) => `static ${type} ptx_${name}_${suffix}(${type} a, ${type} b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? b : a;
  if (a == b) return signbit(a) ? ${name === "min" ? "a : b" : "b : a"};
  return a ${symbol} b ? a : b;
}`,
    ),
  ),
  ...named(
    `ptx_${name}_nan`,
    both(
      (type, _, suffix) => `static ${type} ptx_${name}_nan_${suffix}(${type} a, ${type} b) {
  if (isnan(a) || isnan(b)) return NAN;
  return ptx_${name}_${suffix}(a, b);
}`,
    ),
  ),
});

const division = (name: string, symbol: string): Record<string, string> =>
  Object.fromEntries(
    ["u32", "s32", "u64", "s64"].map((type) => {
      const bits = type.slice(1);
      const word = `uint${bits}_t`;
      const cast = type.startsWith("s") ? `(int${bits}_t)` : "";
      // The negative of the least integer is itself.
      const least = type.startsWith("s")
        ? `\n  if (${cast}b == -1) return ${name === "div" ? "0 - a" : "0"};`
        : "";
      return [
        `ptx_${name}_${type}`,
        `static ${word} ptx_${name}_${type}(${word} a, ${word} b) {
  if (b == 0) return (${word})-1;${least}
  return (${word})(${cast}a ${symbol} ${cast}b);
}`,
      ];
    }),
  );

const counting = (bits: number): Record<string, string> => {
  const word = `uint${bits}_t`;
  return {
    [`ptx_popc_b${bits}`]: `static uint32_t ptx_popc_b${bits}(${word} a) {
  uint32_t count = 0;
  for (; a != 0; a &= a - 1) count++;
  return count;
}`,
    [`ptx_clz_b${bits}`]: `static uint32_t ptx_clz_b${bits}(${word} a) {
  uint32_t count = ${bits};
  for (; a != 0; a >>= 1) count--;
  return count;
}`,
    [`ptx_brev_b${bits}`]: `static ${word} ptx_brev_b${bits}(${word} a) {
  ${word} reversed = 0;
  for (int bit = 0; bit < ${bits}; bit++, a >>= 1) reversed = reversed << 1 | (a & 1);
  return reversed;
}`,
  };
};

const wholes = (): Record<string, string> =>
  Object.fromEntries(
    ["f32", "f64"].flatMap((from) =>
      ["u32", "s32", "u64", "s64"].map((to) => {
        const bits = Number(to.slice(1));
        const isSigned = to.startsWith("s");
        const power = `0x1p${isSigned ? bits - 1 : bits}`;
        const [least, most] = isSigned
          ? [`(uint${bits}_t)INT${bits}_MIN`, `(uint${bits}_t)INT${bits}_MAX`]
          : ["0", `UINT${bits}_MAX`];
        const nan = from === "f64" || bits === 64 ? `(uint${bits}_t)1 << ${bits - 1}` : "0";
        const type = from === "f32" ? "float" : "double";
        return [
          `ptx_${to}_of_${from}`,
          `static uint${bits}_t ptx_${to}_of_${from}(${type} a) {
  if (isnan(a)) return ${nan};
  if (a <= ${isSigned ? `-${power}` : "0"}) return ${least};
  return a >= ${power} ? ${most} : (uint${bits}_t)(${isSigned ? "" : "u"}int${bits}_t)a;
}`,
        ];
      }),
    ),
  );

/** The functions by name. Each may call those before it. */
export const C_HELPERS: Readonly<Record<string, string>> = {
  ptx_bits: `static uint32_t ptx_bits(float a) {
  uint32_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}`,
  ptx_bits_of_result: `static uint32_t ptx_bits_of_result(float a) {
  return isnan(a) ? 0x7fffffff : ptx_bits(a);
}`,
  ptx_with_sign: `static float ptx_with_sign(float a) {
  return isnan(a) ? 1.0f : a;
}`,
  ptx_float: `static float ptx_float(uint32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}`,
  ptx_bits_f64: `static uint64_t ptx_bits_f64(double a) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}`,
  ptx_double: `static double ptx_double(uint64_t bits) {
  double a;
  memcpy(&a, &bits, sizeof a);
  return a;
}`,
  ptx_ftz: `static float ptx_ftz(float a) {
  return fabsf(a) < FLT_MIN ? copysignf(0.0f, a) : a;
}`,
  ...named(
    "ptx_sat",
    both(
      (type, _, suffix) => `static ${type} ptx_sat_${suffix}(${type} a) {
  return a > 0 ? (a < 1 ? a : 1) : 0;
}`,
    ),
  ),
  ...extremum("min", "<"),
  ...extremum("max", ">"),
  ...division("div", "/"),
  ...division("rem", "%"),
  ...counting(32),
  ...counting(64),
  ...wholes(),
  ptx_bfe_u32: `static uint32_t ptx_bfe_u32(uint32_t a, uint32_t position, uint32_t length) {
  position &= 0xff;
  length &= 0xff;
  uint32_t field = position > 31 ? 0 : a >> position;
  return length > 31 ? field : field & ((1u << length) - 1);
}`,
  ptx_bfe_s32: `static uint32_t ptx_bfe_s32(uint32_t a, uint32_t position, uint32_t length) {
  position &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  uint32_t highest = position + length - 1 > 31 ? 31 : position + length - 1;
  uint32_t sign = (a >> highest & 1) != 0 ? 0xffffffff : 0;
  if (position > 31) return sign;
  uint32_t count = highest - position + 1;
  uint32_t field = a >> position;
  return count > 31 ? field : (field & ((1u << count) - 1)) | sign << count;
}`,
  ptx_bfi_b32: `static uint32_t ptx_bfi_b32(uint32_t a, uint32_t b, uint32_t position, uint32_t length) {
  position &= 0xff;
  length &= 0xff;
  if (position > 31) return b;
  uint32_t mask = (length > 31 ? 0xffffffff : (1u << length) - 1) << position;
  return (b & ~mask) | (a << position & mask);
}`,
  ptx_prmt: `static uint32_t ptx_prmt(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t all = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int byte = 0; byte < 4; byte++) {
    uint32_t select = c >> 4 * byte;
    uint32_t value = (uint32_t)(all >> 8 * (select & 7)) & 0xff;
    if ((select & 8) != 0) value = (value & 0x80) != 0 ? 0xff : 0;
    result |= value << 8 * byte;
  }
  return result;
}`,
  ptx_lop3: `static uint32_t ptx_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (int row = 0; row < 8; row++) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}`,
};

/** The functions that a text calls, and those that they call, in an order that C accepts. */
export function helpersOf(text: string): string[] {
  const needed = new Set<string>();
  const add = (source: string): void => {
    for (const [name] of source.matchAll(/\bptx_\w+/g)) {
      if (needed.has(name)) continue;
      needed.add(name);
      add(C_HELPERS[name] ?? "");
    }
  };
  add(text);
  return Object.entries(C_HELPERS).flatMap(([name, source]) => (needed.has(name) ? [source] : []));
}
