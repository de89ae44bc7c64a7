/* PTX_INJECT func
    in f32
    mod // f32 y
    out f32 x as
*/
