// The C++ functions of the header: those that its macros call, and `choose` for programs with numbered sites.
// They include no headers of CUDA or the standard library, because NVRTC may have none.

/** The functions that macros call, and `choose`. */
export const FUNCTIONS = String.raw`
// ---- functions -----------------------------------------------------------------------------------------------------
// For Clang, attributes are spelled out, because an editor may parse CUDA without the headers that define the keywords.
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

template <unsigned Bits, unsigned Value>
PTX_INJECT_DETAIL_FUNCTION void check_size() {
  static_assert(Bits == Value, "PTX_INJECT: the operand's size differs from that of its type's bind kind");
}

// The bits of an object, which may be the first of several, as in an array of halves. Constants and temporaries can be read
// but not written, and have exactly these bits.
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits& bits(Value& value) {
  return reinterpret_cast<Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION volatile Bits& bits(volatile Value& value) {
  return reinterpret_cast<volatile Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits bits(const Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits bits(const volatile Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const volatile Bits&>(value);
}

// The type of an expression, with a message for several expressions.
template <class... Values>
struct expressions {
  static_assert(sizeof...(Values) == 1,
    "PTX_INJECT: an operand is (type, variable) or (type, name, expression), found more parts");
};
template <class Value>
PTX_INJECT_DETAIL_FUNCTION Value&& one_expression(Value&&);
template <class First, class Second, class... More>
PTX_INJECT_DETAIL_FUNCTION expressions<First, Second, More...> one_expression(First&&, Second&&, More&&...);

// Whether the value of an expression can be written; the compiler itself rejects bit-fields. These are enums, because NVRTC
// turns every static member into a global variable.
template <class Value>
struct writable { enum { value = false }; };
template <class Value>
struct writable<Value&> { enum { value = true }; };
template <class Value>
struct writable<const Value&> { enum { value = false }; };
template <class Value>
struct writable<const volatile Value&> { enum { value = false }; };
template <class Value>
PTX_INJECT_DETAIL_FUNCTION writable<Value> is_writable(Value&&) { return {}; }

// Checks the names of a site and its operands, each of which begins with the character \1. Returns 1 if a name is blank or
// not a single line, 2 if it contains % and a digit, which is an operand of the asm statement, and 0 if all names are valid.
#if __cplusplus >= 201402L || defined(_MSC_VER)
PTX_INJECT_DETAIL_FUNCTION constexpr int check_names(const char* names) {
  for (char c = *names; c != 0; c = *++names) {
    if (c > '%') continue;
    if (c == 1) {
      while (names[1] == ' ') names++;
      if (names[1] == 0 || names[1] == 1) return 1;
    } else if (c == '%') {
      if (names[1] >= '0' && names[1] <= '9') return 2;
      if (names[1] == '%') names++;
    } else if (c > 0 && c < ' ') {
      return 1;
    }
  }
  return 0;
}
#endif

// The asm constraint of a value, as the compiler checks it: by the kind and the size of its type.
template <unsigned Size>
struct integer { enum { constraint = Size == 2 ? 'h' : Size == 4 ? 'r' : Size == 8 ? 'l' : Size == 16 ? 'q' : 0 }; };
template <class Value>
struct scalar : integer<sizeof(Value)> {};
template <>
struct scalar<float> { enum { constraint = 'f' }; };
template <>
struct scalar<double> { enum { constraint = 'd' }; };
template <>
struct scalar<volatile float> : scalar<float> {};
template <>
struct scalar<volatile double> : scalar<double> {};
template <class Value>
PTX_INJECT_DETAIL_FUNCTION scalar<Value> scalar_of(const Value&) { return {}; }

// Whether a value fits an asm constraint; those that are not a register's have other rules.
PTX_INJECT_DETAIL_FUNCTION constexpr bool fits(int constraint, char expected) {
  return constraint == expected ||
    !(expected == 'h' || expected == 'r' || expected == 'l' || expected == 'q' || expected == 'f' || expected == 'd');
}

template <class Value>
PTX_INJECT_DETAIL_FUNCTION void refer_to(Value&) {}

// A number as a type, whose values convert to a constant int.
template <int Number>
struct constant {
  static_assert(Number >= 0, "PTX_INJECT: the number of a site is 0 or more");
  enum { value = Number };
  PTX_INJECT_DETAIL_FUNCTION constexpr operator int() const { return Number; }
};

// A binary search over Count sites from First on, which keeps both the comparisons and the depth of templates small.
template <int First, int Count>
struct range {
  template <class Function>
  static PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function) {
    if (index < First + Count / 2)
      range<First, Count / 2>::choose(index, function);
    else
      range<First + Count / 2, Count - Count / 2>::choose(index, function);
  }
};
template <int First>
struct range<First, 1> {
  template <class Function>
  static PTX_INJECT_DETAIL_FUNCTION void choose(int, const Function& function) {
    function(constant<First>());
  }
};

}  // namespace detail

// Calls function with index as a constant if it is in 0 to Count - 1; otherwise does nothing.
template <int Count, class Function>
PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function) {
  static_assert(Count > 0, "PTX_INJECT: expected one site or more to choose from");
  if (index >= 0 && index < Count) detail::range<0, Count>::choose(index, function);
}

}  // namespace ptx_inject
`;
