// program: tags=numeric,integers,divergence
// Integer puzzles with diverging threads: a sieve, powers modulo a 64-bit prime, Collatz lengths, and the n queens.

#include "../check.h"

__global__ void sieve(unsigned* composite, int limit) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (p * p > limit) return;
  for (int multiple = p * p; multiple <= limit; multiple += p) atomicOr(&composite[multiple / 32], 1u << (multiple % 32));
}

__host__ __device__ unsigned long long power(unsigned long long base, unsigned long long exponent, unsigned long long modulus) {
  unsigned long long result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = static_cast<unsigned long long>((unsigned __int128)result * base % modulus);
    base = static_cast<unsigned long long>((unsigned __int128)base * base % modulus);
  }
  return result;
}

__host__ __device__ int collatz(unsigned long long n) {
  int steps = 0;
  for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

/** Ways to place the queens of the rows that are left. */
__host__ __device__ int queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  int ways = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0;) {
    const unsigned bit = free & (0u - free);
    free ^= bit;
    ways += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return ways;
}

__global__ void puzzles(unsigned long long* powers, int* lengths, int* ways, unsigned long long prime, int size) {
  const int i = threadIdx.x;
  powers[i] = power(i + 2, prime - 1 - i, prime);
  lengths[i] = collatz(i + 1);
  if (i < size) atomicAdd(ways, queens((1u << size) - 1, 1u << i, 2u << i, (1u << i) >> 1));
}

int main() {
  const int limit = 3000, count = 64, size = 6;
  DeviceArray<unsigned> composite(limit / 32 + 1);
  sieve<<<1, 64>>>(composite, limit);
  const unsigned long long prime = 0xFFFFFFFFFFFFFFC5ull;
  DeviceArray<unsigned long long> powers(count);
  DeviceArray<int> lengths(count), ways(1);
  puzzles<<<1, count>>>(powers, lengths, ways, prime, size);
  CHECK_KERNEL();
  const auto bits = composite.host();
  std::vector<int> got, want;
  for (int n = 2; n <= limit; n++) {
    if (!(bits[n / 32] >> (n % 32) & 1)) got.push_back(n);
    bool is_prime = true;
    for (int d = 2; d * d <= n; d++) is_prime = is_prime && n % d != 0;
    if (is_prime) want.push_back(n);
  }
  same("primes", got, want);
  std::vector<unsigned long long> wanted_powers;
  std::vector<int> wanted_lengths;
  for (int i = 0; i < count; i++) {
    wanted_powers.push_back(power(i + 2, prime - 1 - i, prime));
    wanted_lengths.push_back(collatz(i + 1));
  }
  same("powers", powers.host(), wanted_powers);
  same("Fermat", wanted_powers[0], 1ull);
  same("lengths", lengths.host(), wanted_lengths);
  same("queens", ways.host()[0], 4);
  return finish();
}
