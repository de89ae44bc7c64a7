// Programs that have to end with whoever started them, however that one ended.
#pragma once

namespace mmptx {

// The exit code where the program could not be started; standard error says why.
constexpr int kNotStarted = 78;

// Runs a program, `words` being a folder, the program's path and its arguments up to a null, and ends as it does. The end of
// standard input before that is the end of the program, of all that it started, and of the folder that they work in.
int keep(char **words);

}  // namespace mmptx
