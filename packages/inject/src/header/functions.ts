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
PTX_INJECT_DETAIL_FUNCTION constexpr void check_size() {
  static_assert(Bits == Value, "PTX_INJECT: the operand's size differs from that of its type's bind kind");
}

// Values are read through a const reference, so that constants and temporaries can be read.
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const volatile Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const volatile Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits& write_bits(Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION volatile Bits& write_bits(volatile Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<volatile Bits&>(value);
}

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
// not a single line, 2 if it contains a single %, which the asm statement would remove, and 0 if all names are valid.
PTX_INJECT_DETAIL_FUNCTION constexpr int check_names(const char* names) {
  bool blank = false;
  for (; *names != 0; names++) {
    const bool begins = *names == 1;
    if (begins && blank) return 1;
    if (!begins && static_cast<unsigned char>(*names) < ' ') return 1;
    if (*names == '%' && *++names != '%') return 2;
    blank = begins || (blank && *names == ' ');
  }
  return blank ? 1 : 0;
}

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
