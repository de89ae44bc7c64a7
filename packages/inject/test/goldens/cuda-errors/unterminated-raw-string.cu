const char* text = R"-(
/* PTX_INJECT func */
)";
