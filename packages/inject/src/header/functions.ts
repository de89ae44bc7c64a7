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

// Programs use only choose. All other names begin with ptxi_, because a program may have macros such as value or index.
namespace ptx_inject {

template <unsigned ptxi_Bits, unsigned ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION void ptxi_check_size() {
  static_assert(ptxi_Bits == ptxi_Value, "PTX_INJECT: the operand's size differs from that of its type's bind kind");
}

// The bits of an object, which may be the first of several, as in an array of halves. Constants and temporaries can be read
// but not written, and have exactly these bits.
template <class ptxi_Bits, class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_Bits& ptxi_bits(ptxi_Value& ptxi_value) {
  return reinterpret_cast<ptxi_Bits&>(ptxi_value);
}
template <class ptxi_Bits, class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION volatile ptxi_Bits& ptxi_bits(volatile ptxi_Value& ptxi_value) {
  return reinterpret_cast<volatile ptxi_Bits&>(ptxi_value);
}
template <class ptxi_Bits, class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_Bits ptxi_bits(const ptxi_Value& ptxi_value) {
  ptxi_check_size<sizeof(ptxi_Bits), sizeof(ptxi_Value)>();
  return reinterpret_cast<const ptxi_Bits&>(ptxi_value);
}
template <class ptxi_Bits, class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_Bits ptxi_bits(const volatile ptxi_Value& ptxi_value) {
  ptxi_check_size<sizeof(ptxi_Bits), sizeof(ptxi_Value)>();
  return reinterpret_cast<const volatile ptxi_Bits&>(ptxi_value);
}

// The type of an expression, with a message for several expressions.
template <class... ptxi_Values>
struct ptxi_expressions {
  static_assert(sizeof...(ptxi_Values) == 1,
    "PTX_INJECT: an operand is (type, variable) or (type, name, expression), found more parts");
};
template <class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_Value&& ptxi_one_expression(ptxi_Value&&);
template <class ptxi_First, class ptxi_Second, class... ptxi_More>
PTX_INJECT_DETAIL_FUNCTION ptxi_expressions<ptxi_First, ptxi_Second, ptxi_More...>
ptxi_one_expression(ptxi_First&&, ptxi_Second&&, ptxi_More&&...);

// Whether the value of an expression can be written; the compiler itself rejects bit-fields. These are enums, because NVRTC
// turns every static member into a global variable.
template <class ptxi_Value>
struct ptxi_writable { enum { ptxi_value = false }; };
template <class ptxi_Value>
struct ptxi_writable<ptxi_Value&> { enum { ptxi_value = true }; };
template <class ptxi_Value>
struct ptxi_writable<const ptxi_Value&> { enum { ptxi_value = false }; };
template <class ptxi_Value>
struct ptxi_writable<const volatile ptxi_Value&> { enum { ptxi_value = false }; };
template <class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_writable<ptxi_Value> ptxi_is_writable(ptxi_Value&&) { return {}; }

// Checks the names of a site and its operands, each of which begins with the character \1. Returns 1 if a name is blank or
// not a single line, 2 if it contains % and a digit, which is an operand of the asm statement, and 0 if all names are valid.
#if __cplusplus >= 201402L || defined(_MSC_VER)
PTX_INJECT_DETAIL_FUNCTION constexpr int ptxi_check_names(const char* ptxi_names) {
  for (char ptxi_c = *ptxi_names; ptxi_c != 0; ptxi_c = *++ptxi_names) {
    if (ptxi_c > '%') continue;
    if (ptxi_c == 1) {
      while (ptxi_names[1] == ' ') ptxi_names++;
      if (ptxi_names[1] == 0 || ptxi_names[1] == 1) return 1;
    } else if (ptxi_c == '%') {
      if (ptxi_names[1] >= '0' && ptxi_names[1] <= '9') return 2;
      if (ptxi_names[1] == '%') ptxi_names++;
    } else if (ptxi_c > 0 && ptxi_c < ' ') {
      return 1;
    }
  }
  return 0;
}
#endif

// The asm constraint of a value, as the compiler checks it: by the kind and the size of its type.
template <unsigned ptxi_Size>
struct ptxi_integer {
  enum {
    ptxi_constraint = ptxi_Size == 2 ? 'h' : ptxi_Size == 4 ? 'r' : ptxi_Size == 8 ? 'l' : ptxi_Size == 16 ? 'q' : 0
  };
};
template <class ptxi_Value>
struct ptxi_scalar : ptxi_integer<sizeof(ptxi_Value)> {};
template <>
struct ptxi_scalar<float> { enum { ptxi_constraint = 'f' }; };
template <>
struct ptxi_scalar<double> { enum { ptxi_constraint = 'd' }; };
template <>
struct ptxi_scalar<volatile float> : ptxi_scalar<float> {};
template <>
struct ptxi_scalar<volatile double> : ptxi_scalar<double> {};
template <class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION ptxi_scalar<ptxi_Value> ptxi_scalar_of(const ptxi_Value&) { return {}; }

// Whether a value fits an asm constraint; those that are not a register's have other rules.
PTX_INJECT_DETAIL_FUNCTION constexpr bool ptxi_fits(int ptxi_constraint, char ptxi_expected) {
  return ptxi_constraint == ptxi_expected ||
    !(ptxi_expected == 'h' || ptxi_expected == 'r' || ptxi_expected == 'l' || ptxi_expected == 'q' ||
      ptxi_expected == 'f' || ptxi_expected == 'd');
}

template <class ptxi_Value>
PTX_INJECT_DETAIL_FUNCTION void ptxi_refer_to(ptxi_Value&) {}

// A number as a type, whose values convert to a constant int.
template <int ptxi_Number>
struct ptxi_constant {
  static_assert(ptxi_Number >= 0, "PTX_INJECT: the number of a site is 0 or more");
  enum { ptxi_value = ptxi_Number };
  PTX_INJECT_DETAIL_FUNCTION constexpr operator int() const { return ptxi_Number; }
};

// A binary search over a number of sites from the first on, which keeps both the comparisons and the depth of templates small.
template <int ptxi_First, int ptxi_Count>
struct ptxi_range {
  template <class ptxi_Function>
  static PTX_INJECT_DETAIL_FUNCTION void ptxi_choose(int ptxi_index, const ptxi_Function& ptxi_function) {
    if (ptxi_index < ptxi_First + ptxi_Count / 2)
      ptxi_range<ptxi_First, ptxi_Count / 2>::ptxi_choose(ptxi_index, ptxi_function);
    else
      ptxi_range<ptxi_First + ptxi_Count / 2, ptxi_Count - ptxi_Count / 2>::ptxi_choose(ptxi_index, ptxi_function);
  }
};
template <int ptxi_First>
struct ptxi_range<ptxi_First, 1> {
  template <class ptxi_Function>
  static PTX_INJECT_DETAIL_FUNCTION void ptxi_choose(int, const ptxi_Function& ptxi_function) {
    ptxi_function(ptxi_constant<ptxi_First>());
  }
};

// Calls a function with the index as a constant if it is less than the number of sites; otherwise does nothing.
template <int ptxi_Count, class ptxi_Function>
PTX_INJECT_DETAIL_FUNCTION void choose(int ptxi_index, const ptxi_Function& ptxi_function) {
  static_assert(ptxi_Count > 0, "PTX_INJECT: expected one site or more to choose from");
  if (ptxi_index >= 0 && ptxi_index < ptxi_Count) ptxi_range<0, ptxi_Count>::ptxi_choose(ptxi_index, ptxi_function);
}

}  // namespace ptx_inject
`;
