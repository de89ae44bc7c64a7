/* PTX_INJECT func
    in f32 x[0
    in f32 f(x])
    in f32 x)
    in f32 x;
    in f32 x /* the first
    in f32 f("x)
    in f32 f('x) as x
    in f32 x as 2y
    in f32 as
*/
