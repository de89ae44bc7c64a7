#define SITE(x) \
  /* PTX_INJECT func \
      in f23 x \
  */
