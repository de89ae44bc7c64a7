// Computes what stands on its standard input, 40 bytes a case: operation, rounding, width, and three operands as bits. Each
// result is 8 bytes. Rounding is the processor's, fma the library's.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

struct Case {
  uint32_t operation, rounding, width, unused;
  uint64_t a, b, c;
};

template <typename Float, typename Bits>
uint64_t compute(const Case& input) {
  volatile Float a, b, c, result = 0;
  const auto read = [](uint64_t bits) {
    const Bits narrow = static_cast<Bits>(bits);
    Float value;
    std::memcpy(&value, &narrow, sizeof value);
    return value;
  };
  a = read(input.a);
  b = read(input.b);
  c = read(input.c);
  switch (input.operation) {
    case 0: result = a + b; break;
    case 1: result = a - b; break;
    case 2: result = a * b; break;
    case 3: result = std::fma(static_cast<Float>(a), static_cast<Float>(b), static_cast<Float>(c)); break;
    case 4: result = a / b; break;
    case 5: result = std::sqrt(static_cast<Float>(a)); break;
    case 6: result = static_cast<Float>(static_cast<int64_t>(input.a)); break;
    case 7: result = static_cast<Float>(input.a); break;
    case 8: result = std::nearbyint(static_cast<Float>(a)); break;
    case 9: {
      double from;
      std::memcpy(&from, &input.a, sizeof from);
      volatile double source = from;
      result = static_cast<Float>(source);
      break;
    }
  }
  const Float stored = result;
  Bits bits;
  std::memcpy(&bits, &stored, sizeof bits);
  return std::isnan(static_cast<double>(stored)) ? 0 : bits;
}

// From f64 to f16, in the current rounding.
uint64_t toHalf(const Case& input) {
  double from;
  std::memcpy(&from, &input.a, sizeof from);
  volatile double source = from;
  const _Float16 stored = static_cast<_Float16>(source);
  uint16_t bits;
  std::memcpy(&bits, &stored, sizeof bits);
  return std::isnan(from) ? 0 : bits;
}

}  // namespace

int main() {
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  Case input;
  while (std::fread(&input, sizeof input, 1, stdin) == 1) {
    std::fesetround(modes[input.rounding]);
    const uint64_t result = input.width == 64   ? compute<double, uint64_t>(input)
                            : input.width == 32 ? compute<float, uint32_t>(input)
                                                : toHalf(input);
    std::fwrite(&result, sizeof result, 1, stdout);
  }
}
