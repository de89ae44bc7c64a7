// Comments and strings of PTX, as the compiler reads them: comments do not nest, and in a string nothing is escaped.
#pragma once

#include <cstddef>

namespace mmptx {

// The end of the string that starts at `at`; one that is not terminated ends with the text.
std::size_t stringEnd(const char *text, std::size_t size, std::size_t at);

// The end of the comment that starts at `at`; `at` itself if no comment starts there.
std::size_t commentEnd(const char *text, std::size_t size, std::size_t at);

// Whether names, numbers and directives contain it.
bool isWordByte(char c);

}  // namespace mmptx
