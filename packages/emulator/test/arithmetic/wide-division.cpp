// Reads pairs of 128-bit integers and writes their unsigned quotients and remainders, then the signed ones.
#include <cstdio>

int main() {
  unsigned __int128 pair[2];
  while (std::fread(pair, sizeof pair, 1, stdin) == 1) {
    const auto [a, b] = pair;
    const auto x = static_cast<__int128>(a), y = static_cast<__int128>(b);
    const unsigned __int128 results[] = {a / b, a % b, static_cast<unsigned __int128>(x / y),
                                         static_cast<unsigned __int128>(x % y)};
    std::fwrite(results, sizeof results, 1, stdout);
  }
}
