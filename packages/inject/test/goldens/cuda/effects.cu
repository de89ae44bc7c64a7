/* PTX_INJECT a
    volatile
    in f32 x
*/
/* PTX_INJECT b
    memory // reads a table
    out f32 x
*/
/* PTX_INJECT c
    volatile
    memory
*/
/* PTX_INJECT d%"\ */
