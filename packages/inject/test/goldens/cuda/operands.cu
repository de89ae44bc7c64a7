/* PTX_INJECT func // a remark
    mod f32 x[0]
    mod F32 p.w
    mod s32 a->b
    mod u32 *ptr
    out b32 f(i, j)[2]
    out f16 h
    out f16X2 pair[k] as pair_k
    in PHILOX state.key.x
    in f32 convert<float, int>(n) as n
    in f32 (a ? b : c) as as_is
    in f32 text["// no remark; ) as b"] // a remark
    in f32 map['\'']
    in s32 1'000
    in f32 [](float as) { return as; }(x) as lambda*/ next();
