if (x > 0) /* PTX_INJECT func
    in f32 x
    out f32 z
    in f32 lambda([&] { return 1.f; })
    mod f32 y
    in f32 w
*/ else return;
