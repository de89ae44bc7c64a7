/* PTX_INJECT func
    volatile memory
    memory f32
    volatil
*/
