/* PTX_INJECT fu\
nc
    in f\
23 x
    o\
t f32 \
  y
*/
