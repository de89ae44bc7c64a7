/* PTX_INJECT first
    in f33 x
    nothing f32 y
*/
/* PTX_INJECT second
    in f32 x
*/
/* PTX_INJECT third
    in f32 x
    mod f32 x
*/
