/* PTX_INJECT func
    in  f32 x
    out f32 z
*/
/* PTX_INJECT func
    out f32 z
    in  f32 x
*/
/* PTX_INJECT func
    in  f32 y as x
    out F32 z
*/
/* PTX_INJECT func
    in  f32 x
*/
/* PTX_INJECT func
    in  f32 x
    out f32 z
    in  f32 w
*/
