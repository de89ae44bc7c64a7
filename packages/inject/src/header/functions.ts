// The C++ of the header: what its macros call, and what programs call to choose among numbered sites. It needs no header of
// CUDA or of the standard library, because NVRTC has none at hand.

/** The functions that macros call, and `choose`. */
export const FUNCTIONS = String.raw`
// ---- functions -----------------------------------------------------------------------------------------------------
// Clang gets attributes, because an editor may parse CUDA without the headers that define the words.
#if defined(__clang__) && defined(__CUDA__)
#define PTX_INJECT_DETAIL_FUNCTION \
  __attribute__((host)) __attribute__((device)) inline __attribute__((always_inline))
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define PTX_INJECT_DETAIL_FUNCTION __host__ __device__ __forceinline__
#else
#define PTX_INJECT_DETAIL_FUNCTION inline
#endif

namespace ptx_inject {
namespace detail {

// Reading goes through a const reference, so that constants and temporaries may be read too.
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<const Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const volatile Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<const volatile Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits& write_bits(Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION volatile Bits& write_bits(volatile Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<volatile Bits&>(value);
}

// Whether what an expression gives can be written. A bit-field is refused by the compiler itself.
template <class Value>
struct writable { static constexpr bool value = false; };
template <class Value>
struct writable<Value&> { static constexpr bool value = true; };
template <class Value>
struct writable<const Value&> { static constexpr bool value = false; };
template <class Value>
struct writable<const volatile Value&> { static constexpr bool value = false; };
template <class Value>
PTX_INJECT_DETAIL_FUNCTION writable<Value> is_writable(Value&&) { return {}; }

// The names of a site and its operands, each begun by a sign \1: one line with something on it, and no single %, which
// the asm statement would take away.
PTX_INJECT_DETAIL_FUNCTION constexpr bool has_names(const char* names) {
  bool blank = false;
  for (; *names != 0; names++) {
    if (*names == 1) {
      if (blank) return false;
      blank = true;
    } else if (static_cast<unsigned char>(*names) < ' ') {
      return false;
    } else if (*names != ' ') {
      blank = false;
    }
  }
  return !blank;
}
PTX_INJECT_DETAIL_FUNCTION constexpr bool has_escapes(const char* names) {
  for (; *names != 0; names++) {
    if (*names == '%' && *++names != '%') return false;
  }
  return true;
}

template <class Value>
PTX_INJECT_DETAIL_FUNCTION void refer_to(Value&) {}

// What stands for a number: a type, and a constant wherever an int is wanted.
template <int Number>
struct constant {
  static_assert(Number >= 0, "PTX_INJECT: the number of a site is 0 or more");
  static constexpr int value = Number;
  PTX_INJECT_DETAIL_FUNCTION constexpr operator int() const { return Number; }
};

// All numbers below Count, made by halves: the depth of templates is limited.
template <int... Numbers>
struct numbers {};
template <class First, class Second>
struct joined;
template <int... First, int... Second>
struct joined<numbers<First...>, numbers<Second...>> { using type = numbers<First..., (sizeof...(First) + Second)...>; };
template <int Count>
struct below {
  static_assert(Count > 0, "PTX_INJECT: expected one site or more to choose from");
  using type = typename joined<typename below<Count / 2>::type, typename below<Count - Count / 2>::type>::type;
};
template <>
struct below<1> { using type = numbers<0>; };

template <class Function, int... Numbers>
PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function, numbers<Numbers...>) {
  bool found = false;
  const bool tried[] = {(found = found || (index == Numbers && (function(constant<Numbers>()), true)))...};
  (void)tried;
}

}  // namespace detail

// Calls function with the constant that index is, when it is one of 0 to Count - 1.
template <int Count, class Function>
PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function) {
  detail::choose(index, function, typename detail::below<Count>::type());
}

}  // namespace ptx_inject
`;
