"/* PTX_INJECT a */" '"' /* PTX_INJECT b */ "\"/* PTX_INJECT a */"
R"(/* PTX_INJECT a */ ")" u8R"x(/* PTX_INJECT a */)" )x" LR"()" /* PTX_INJECT c */ FR"(/* PTX_INJECT d */
1'000 /* PTX_INJECT e */ 0xff'ff'00 /* PTX_INJECT f */ 1.5e3'0 /* PTX_INJECT g */ .5'0 /* PTX_INJECT g1 */
u8'"' /* PTX_INJECT h */ case'"': /* PTX_INJECT i */ L'\'' /* PTX_INJECT j */
#error don't /* PTX_INJECT a */
"continued \
/* PTX_INJECT a */ \
" /* PTX_INJECT k */ // \
/* PTX_INJECT a */
/\
* PTX_INJ\
ECT l *\
/ /* no * / end *//* PTX_INJECT m *//**//***//*/* PTX_INJECT a */
a / b /* PTX_INJECT n */ 1'000R"(/* PTX_INJECT o */"
R"not a raw string /* PTX_INJECT a */" /* PTX_INJECT p */
