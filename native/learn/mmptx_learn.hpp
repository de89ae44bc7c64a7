// The models of mmptx_learn.h as C++ objects that own their memory (C++17). Failures are thrown as mmptx::LearnError.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mmptx_learn.h"

namespace mmptx {

/** A status of mmptx_learn.h as an exception. */
class LearnError : public std::runtime_error {
 public:
  explicit LearnError(int status) : std::runtime_error(mmptx_learn_message(status)), status(status) {}
  const int status;
};

inline void check(int status) {
  if (status != MMPTX_LEARN_OK) throw LearnError(status);
}

/** The memory of a model, which moves with it. */
template <typename Config>
class Model {
 public:
  const Config config;
  std::size_t bytes() const { return size_; }
  void* memory() const { return memory_.get(); }

 protected:
  using Init = int (*)(void*, std::size_t, const Config*);
  Model(const Config& config, std::size_t size) : config(config), size_(size), memory_(new std::uint64_t[size / 8 + 1]) {}
  Model(const Config& config, std::size_t size, Init init) : Model(config, size) { check(init(memory(), size, &config)); }
  template <typename SavedBytes, typename Save>
  std::vector<std::uint8_t> saved(SavedBytes saved_bytes, Save save) const {
    std::vector<std::uint8_t> result(saved_bytes(memory()));
    if (result.empty()) throw LearnError(MMPTX_LEARN_NOT_FITTED);
    check(save(memory(), result.data(), result.size()));
    return result;
  }

 private:
  std::size_t size_;
  std::unique_ptr<std::uint64_t[]> memory_;
};

// Constructors of a model: new, and of saved bytes.
#define MMPTX_LEARN_MODEL(Class, name)                                                                                \
  using Config = mmptx_learn_##name##_config;                                                                         \
  explicit Class(const Config& config) : Model(config, mmptx_learn_##name##_bytes(&config), mmptx_learn_##name##_init) {} \
  explicit Class(const std::vector<std::uint8_t>& saved) : Class(saved, saved_config(saved)) {}                       \
  Class(const std::vector<std::uint8_t>& saved, const Config& config) : Model(config, mmptx_learn_##name##_bytes(&config)) { \
    check(mmptx_learn_##name##_load(memory(), bytes(), &config, saved.data(), saved.size()));                         \
  }                                                                                                                   \
  static Config saved_config(const std::vector<std::uint8_t>& saved) {                                                \
    Config config;                                                                                                    \
    check(mmptx_learn_##name##_saved_config(saved.data(), saved.size(), &config));                                    \
    return config;                                                                                                    \
  }                                                                                                                   \
  std::vector<std::uint8_t> save() const { return saved(mmptx_learn_##name##_saved_bytes, mmptx_learn_##name##_save); }

using Rows = mmptx_learn_rows;
/** Threads among which calls divide rows. */
using Workers = mmptx_learn_workers;

/** Boosted trees. To fit loaded ones, pass the saved configuration with the capacity of the rows. */
class Trees : public Model<mmptx_learn_trees_config> {
 public:
  MMPTX_LEARN_MODEL(Trees, trees)
  void fit(const Rows& rows) { check(mmptx_learn_trees_fit(memory(), &rows)); }
  void predict(const float* rows, std::size_t count, float* scores, const Workers* workers = nullptr) {
    check(mmptx_learn_trees_predict(memory(), rows, count, scores, workers));
  }
};

class Linear : public Model<mmptx_learn_linear_config> {
 public:
  MMPTX_LEARN_MODEL(Linear, linear)
  void update(const float* row, double label) { check(mmptx_learn_linear_update(memory(), row, label)); }
  void fit(const Rows& rows, const Workers* workers = nullptr) { check(mmptx_learn_linear_fit(memory(), &rows, workers)); }
  void predict(const float* rows, std::size_t count, float* means, float* deviations = nullptr, const Workers* workers = nullptr) {
    check(mmptx_learn_linear_predict(memory(), rows, count, means, deviations, workers));
  }
};

class Mlp : public Model<mmptx_learn_mlp_config> {
 public:
  MMPTX_LEARN_MODEL(Mlp, mlp)
  /** Returns the mean squared error before the step. */
  double step(const float* rows, const float* labels, std::size_t count) {
    double error = 0;
    check(mmptx_learn_mlp_step(memory(), rows, labels, count, &error));
    return error;
  }
  double fit(const Rows& rows, std::size_t steps) {
    double error = 0;
    check(mmptx_learn_mlp_fit(memory(), &rows, steps, &error));
    return error;
  }
  void predict(const float* rows, std::size_t count, float* scores, const Workers* workers = nullptr) {
    check(mmptx_learn_mlp_predict(memory(), rows, count, scores, workers));
  }
};

class Pca : public Model<mmptx_learn_pca_config> {
 public:
  MMPTX_LEARN_MODEL(Pca, pca)
  void update(const float* rows, std::size_t count) { check(mmptx_learn_pca_update(memory(), rows, count)); }
  void project(const float* rows, std::size_t count, float* projected) {
    check(mmptx_learn_pca_project(memory(), rows, count, projected));
  }
};

class Neighbours : public Model<mmptx_learn_neighbours_config> {
 public:
  using Config = mmptx_learn_neighbours_config;
  explicit Neighbours(const Config& config)
      : Model(config, mmptx_learn_neighbours_bytes(&config), mmptx_learn_neighbours_init) {}
  void fit(const Rows& rows) { check(mmptx_learn_neighbours_fit(memory(), &rows)); }
  void predict(const float* rows, std::size_t count, float* means, const Workers* workers = nullptr) {
    check(mmptx_learn_neighbours_predict(memory(), rows, count, means, workers));
  }
  void novelty(const float* rows, std::size_t count, float* results, const Workers* workers = nullptr) {
    check(mmptx_learn_neighbours_novelty(memory(), rows, count, results, workers));
  }
};

#undef MMPTX_LEARN_MODEL

}  // namespace mmptx
