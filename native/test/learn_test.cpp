// The models in C: what they refuse, and that all instruction sets compute the same bits. Arrays have exactly the size that calls may
// use, so that a sanitizer finds any access beyond.
#include <cmath>
#include <cstring>
#include <thread>

#include "../learn/mmptx_learn.hpp"
#include "check.h"

namespace {

using check::below;
using Bytes = std::vector<std::uint8_t>;

float uniform() { return static_cast<float>(below(1 << 20)) / (1 << 19) - 1; }

struct Data {
  std::vector<float> values, labels;
  std::size_t count, first;
  mmptx::Rows rows() const { return {values.data(), labels.data(), count, labels.size(), first}; }
};

/** Some rows of a table, which may be a ring. */
Data draw(std::size_t most, std::size_t columns) {
  Data data;
  const std::size_t capacity = 1 + below(most);
  data.count = 1 + below(capacity);
  data.first = below(capacity);
  data.values.resize(capacity * columns);
  data.labels.resize(capacity);
  for (auto& value : data.values) value = uniform();
  for (auto& label : data.labels) label = uniform();
  return data;
}

/** What a computation gives for each instruction set. */
template <typename Compute>
void same(Compute compute) {
  mmptx::check(mmptx_learn_choose_isa(mmptx_learn_isa_at(0)));
  const auto expected = compute();
  for (std::size_t index = 1; mmptx_learn_isa_at(index) != nullptr; index++) {
    mmptx::check(mmptx_learn_choose_isa(mmptx_learn_isa_at(index)));
    EXPECT_EQUAL(compute() == expected, true);
  }
  mmptx::check(mmptx_learn_choose_isa(mmptx_learn_isa_at(0)));
}

void append(Bytes& bytes, const std::vector<float>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  bytes.insert(bytes.end(), first, first + 4 * values.size());
}

/** The saved model and its predictions, which a model of these bytes has as well. */
template <typename Model>
Bytes outcome(const Model& model, const std::vector<float>& predicted, const std::vector<float>& loaded) {
  Bytes bytes = model.save();
  EXPECT_EQUAL(Model(bytes).save() == bytes, true);
  EXPECT_EQUAL(std::memcmp(predicted.data(), loaded.data(), 4 * predicted.size()), 0);
  append(bytes, predicted);
  return bytes;
}

TEST("models: trees have the same bits with every instruction set") {
  for (std::size_t round = 0; round < check::cases(200); round++) {
    const auto columns = static_cast<std::uint32_t>(1 + below(20));
    const Data data = draw(90, columns);
    auto config = mmptx_learn_trees_defaults(columns, static_cast<std::uint32_t>(data.count));
    config.trees = static_cast<std::uint32_t>(1 + below(6));
    config.depth = static_cast<std::uint32_t>(1 + below(4));
    config.bins = static_cast<std::uint32_t>(2 + below(40));
    config.general = static_cast<std::uint32_t>(below(2));
    config.best_tenth = static_cast<std::uint32_t>(below(2));
    config.all_rows = static_cast<std::uint32_t>(below(2));
    same([&] {
      mmptx::Trees model(config);
      model.fit(data.rows());
      std::vector<float> scores(data.labels.size()), again(scores.size());
      model.predict(data.values.data(), scores.size(), scores.data());
      mmptx::Trees(model.save()).predict(data.values.data(), again.size(), again.data());
      return outcome(model, scores, again);
    });
  }
}

TEST("models: linear ones have the same bits with every instruction set") {
  for (std::size_t round = 0; round < check::cases(100); round++) {
    auto config = mmptx_learn_linear_defaults(static_cast<std::uint32_t>(1 + below(20)));
    const Data data = draw(150, config.columns);
    config.features = static_cast<std::uint32_t>(2 + below(70));
    config.warmup = static_cast<std::uint32_t>(1 + below(data.labels.size()));
    config.ridge = below(2) == 0 ? 1.0 / 1048576 : 1;
    const bool fits = below(2) == 0;
    same([&] {
      mmptx::Linear model(config);
      if (fits) model.fit(data.rows());
      for (std::size_t row = 0; row < data.labels.size(); row++) {
        const std::vector<float> one(data.values.begin() + row * config.columns, data.values.begin() + (row + 1) * config.columns);
        model.update(one.data(), data.labels[row] + 0.1);
      }
      std::vector<float> means(data.labels.size()), deviations(means.size()), again(means.size());
      model.predict(data.values.data(), means.size(), means.data(), deviations.data());
      mmptx::Linear(model.save()).predict(data.values.data(), again.size(), again.data());
      Bytes bytes = outcome(model, means, again);
      append(bytes, deviations);
      return bytes;
    });
  }
}

TEST("models: perceptrons have the same bits with every instruction set") {
  for (std::size_t round = 0; round < check::cases(100); round++) {
    auto config = mmptx_learn_mlp_defaults(static_cast<std::uint32_t>(1 + below(20)));
    const Data data = draw(140, config.columns);
    config.hidden[0] = static_cast<std::uint32_t>(1 + below(40));
    config.hidden[1] = static_cast<std::uint32_t>(below(40));
    config.relu = static_cast<std::uint32_t>(below(2));
    config.batch = static_cast<std::uint32_t>(1 + below(140));
    config.seed = static_cast<std::uint32_t>(below(1000));
    same([&] {
      mmptx::Mlp model(config);
      model.fit(data.rows(), 3);
      const std::size_t size = data.labels.size() < config.batch ? data.labels.size() : config.batch;
      model.step(data.values.data(), data.labels.data(), size);
      std::vector<float> scores(data.labels.size()), again(scores.size());
      model.predict(data.values.data(), scores.size(), scores.data());
      mmptx::Mlp(model.save()).predict(data.values.data(), again.size(), again.data());
      return outcome(model, scores, again);
    });
  }
}

TEST("models: principal components have the same bits with every instruction set") {
  for (std::size_t round = 0; round < check::cases(100); round++) {
    const auto columns = static_cast<std::uint32_t>(1 + below(40));
    const auto components = static_cast<std::uint32_t>(1 + below(columns < 8 ? columns : 8));
    const Data data = draw(150, columns);
    same([&] {
      mmptx::Pca model(mmptx::Pca::Config{columns, components});
      model.update(data.values.data(), data.labels.size());
      model.update(data.values.data(), data.count);
      std::vector<float> projected(data.labels.size() * components), again(projected.size());
      model.project(data.values.data(), data.labels.size(), projected.data());
      mmptx::Pca(model.save()).project(data.values.data(), data.labels.size(), again.data());
      return outcome(model, projected, again);
    });
  }
}

TEST("models: neighbours have the same bits with every instruction set") {
  for (std::size_t round = 0; round < check::cases(100); round++) {
    const auto columns = static_cast<std::uint32_t>(1 + below(20));
    const Data data = draw(150, columns);
    const mmptx_learn_neighbours_config config = {columns, static_cast<std::uint32_t>(data.count), static_cast<std::uint32_t>(1 + below(90)),
                                                  static_cast<std::uint32_t>(below(2))};
    same([&] {
      mmptx::Neighbours model(config);
      model.fit(data.rows());
      std::vector<float> means(data.labels.size()), novelty(means.size());
      model.predict(data.values.data(), means.size(), means.data());
      model.novelty(data.values.data(), novelty.size(), novelty.data());
      Bytes bytes;
      append(bytes, means);
      append(bytes, novelty);
      return bytes;
    });
  }
}

/** Threads for calls, with exactly the memory that they need. */
struct Threads {
  Threads(const void* model, std::size_t count)
      : memory(mmptx_learn_workers_bytes(model, count) / 8), workers{count, memory.data(), 8 * memory.size(), run, nullptr} {}
  operator const mmptx::Workers*() const { return &workers; }
  static void run(void*, std::size_t tasks, void (*task)(void*, std::size_t), void* data) {
    std::vector<std::thread> threads;
    for (std::size_t index = tasks; index-- > 0;) threads.emplace_back(task, data, index);
    for (auto& one : threads) one.join();
  }
  std::vector<std::uint64_t> memory;
  mmptx::Workers workers;
};

TEST("models: calls that divide their rows have the same bits with any number of threads") {
  for (std::size_t round = 0; round < check::cases(20); round++) {
    const auto columns = static_cast<std::uint32_t>(1 + below(6));
    Data data = draw(3000, columns);
    const std::size_t all = data.labels.size();
    mmptx::Trees trees(mmptx_learn_trees_defaults(columns, static_cast<std::uint32_t>(data.count)));
    trees.fit(data.rows());
    mmptx::Mlp mlp(mmptx_learn_mlp_defaults(columns));
    mlp.fit(data.rows(), 2);
    mmptx::Neighbours near(mmptx::Neighbours::Config{columns, static_cast<std::uint32_t>(data.count), 5, 0});
    near.fit(data.rows());
    Bytes expected;
    for (std::size_t count = 1; count <= 5; count++) {
      Bytes bytes;
      mmptx::Linear linear(mmptx_learn_linear_defaults(columns));
      linear.fit(data.rows(), Threads(linear.memory(), count));
      bytes = linear.save();
      std::vector<float> results(all), deviations(all);
      linear.predict(data.values.data(), all, results.data(), deviations.data(), Threads(linear.memory(), count));
      append(bytes, results);
      append(bytes, deviations);
      trees.predict(data.values.data(), all, results.data(), Threads(trees.memory(), count));
      append(bytes, results);
      mlp.predict(data.values.data(), all, results.data(), Threads(mlp.memory(), count));
      append(bytes, results);
      near.predict(data.values.data(), all, results.data(), Threads(near.memory(), count));
      append(bytes, results);
      near.novelty(data.values.data(), all, results.data(), Threads(near.memory(), count));
      append(bytes, results);
      if (count == 1) expected = bytes;
      EXPECT_EQUAL(bytes == expected, true);
    }
    Threads two(trees.memory(), 2);
    const auto status = [&](mmptx::Workers workers) {
      std::vector<float> scores(all);
      return mmptx_learn_trees_predict(trees.memory(), data.values.data(), all, scores.data(), &workers);
    };
    mmptx::Workers workers = two.workers;
    workers.bytes--;
    EXPECT_EQUAL(status(workers), MMPTX_LEARN_MEMORY);
    workers = two.workers;
    workers.count = 0;
    EXPECT_EQUAL(status(workers), MMPTX_LEARN_SHAPE);
    workers.count = 65;
    EXPECT_EQUAL(status(workers), MMPTX_LEARN_SHAPE);
    workers = two.workers;
    workers.run = nullptr;
    EXPECT_EQUAL(status(workers), MMPTX_LEARN_NULL);
  }
}

TEST("models: null pointers, sizes, memory without a model and values that are not finite are refused") {
  auto config = mmptx_learn_trees_defaults(2, 4);
  const std::size_t bytes = mmptx_learn_trees_bytes(&config);
  std::vector<std::uint64_t> block(bytes / 8);
  void* memory = block.data();
  std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8}, labels = {1, 2, 3, 4}, scores(4);
  mmptx::Rows rows{values.data(), labels.data(), 4, 0, 0};
  EXPECT_EQUAL(mmptx_learn_trees_fit(memory, &rows), MMPTX_LEARN_NO_MODEL);
  EXPECT_EQUAL(mmptx_learn_trees_init(memory, bytes - 1, &config), MMPTX_LEARN_MEMORY);
  EXPECT_EQUAL(mmptx_learn_trees_init(static_cast<char*>(memory) + 4, bytes, &config), MMPTX_LEARN_MEMORY);
  EXPECT_EQUAL(mmptx_learn_trees_init(nullptr, bytes, &config), MMPTX_LEARN_NULL);
  EXPECT_EQUAL(mmptx_learn_trees_init(memory, bytes, nullptr), MMPTX_LEARN_NULL);
  config.depth = 5;
  EXPECT_EQUAL(mmptx_learn_trees_bytes(&config), 0u);
  EXPECT_EQUAL(mmptx_learn_trees_init(memory, bytes, &config), MMPTX_LEARN_CONFIG);
  config.depth = 4;
  EXPECT_EQUAL(mmptx_learn_trees_init(memory, bytes, &config), MMPTX_LEARN_OK);
  EXPECT_EQUAL(mmptx_learn_linear_update(memory, values.data(), 1), MMPTX_LEARN_NO_MODEL);
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, values.data(), 4, scores.data(), nullptr), MMPTX_LEARN_NOT_FITTED);
  EXPECT_EQUAL(mmptx_learn_trees_saved_bytes(memory), 0u);
  EXPECT_EQUAL(mmptx_learn_trees_fit(memory, nullptr), MMPTX_LEARN_NULL);
  for (const mmptx::Rows& bad : {mmptx::Rows{values.data(), labels.data(), 0, 0, 0}, mmptx::Rows{values.data(), labels.data(), 5, 0, 0},
                                 mmptx::Rows{values.data(), labels.data(), 4, 4, 4}, mmptx::Rows{values.data(), labels.data(), 4, 3, 0}})
    EXPECT_EQUAL(mmptx_learn_trees_fit(memory, &bad), MMPTX_LEARN_SHAPE);
  rows.labels = nullptr;
  EXPECT_EQUAL(mmptx_learn_trees_fit(memory, &rows), MMPTX_LEARN_NULL);
  rows.labels = labels.data();
  labels[3] = std::nanf("");
  EXPECT_EQUAL(mmptx_learn_trees_fit(memory, &rows), MMPTX_LEARN_NOT_FINITE);
  labels[3] = 4;
  EXPECT_EQUAL(mmptx_learn_trees_fit(memory, &rows), MMPTX_LEARN_OK);
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, nullptr, 4, scores.data(), nullptr), MMPTX_LEARN_NULL);
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, values.data(), 4, nullptr, nullptr), MMPTX_LEARN_NULL);
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, values.data(), static_cast<std::size_t>(-1), scores.data(), nullptr), MMPTX_LEARN_SHAPE);
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, values.data(), 0, scores.data(), nullptr), MMPTX_LEARN_OK);
  values[0] = INFINITY;
  EXPECT_EQUAL(mmptx_learn_trees_predict(memory, values.data(), 4, scores.data(), nullptr), MMPTX_LEARN_NOT_FINITE);
  EXPECT_EQUAL(mmptx_learn_choose_isa("mmx"), MMPTX_LEARN_CONFIG);
  EXPECT_EQUAL(mmptx_learn_choose_isa(nullptr), MMPTX_LEARN_NULL);
  EXPECT_EQUAL(std::string(mmptx_learn_message(99)), std::string("unknown status"));
}

template <typename Model>
void refuses(const Model& model) {
  const Bytes saved = model.save();
  for (std::size_t bit = 0; bit < saved.size() * 8; bit += 1 + below(60)) {
    Bytes flipped = saved;
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    int status = MMPTX_LEARN_OK;
    try {
      Model loaded(flipped);
    } catch (const mmptx::LearnError& error) {
      status = error.status;
    }
    EXPECT_EQUAL(status, MMPTX_LEARN_BAD_MODEL);
  }
  Bytes cut(saved.begin(), saved.end() - 4);
  bool thrown = false;
  try {
    Model loaded(cut);
  } catch (const mmptx::LearnError&) {
    thrown = true;
  }
  EXPECT_EQUAL(thrown, true);
}

TEST("models: saved bytes with any changed bit are refused") {
  const Data data = draw(20, 2);
  auto config = mmptx_learn_trees_defaults(2, static_cast<std::uint32_t>(data.count));
  config.trees = 2;
  mmptx::Trees trees(config);
  trees.fit(data.rows());
  refuses(trees);
  mmptx_learn_linear_config small = {2, 3, 0, 1, 1};
  mmptx::Linear linear(small);
  linear.fit(data.rows());
  refuses(linear);
  mmptx_learn_mlp_config narrow = {2, {2, 0}, 0, 4, 0, 0.01};
  mmptx::Mlp mlp(narrow);
  mlp.fit(data.rows(), 1);
  refuses(mlp);
  mmptx::Pca pca(mmptx::Pca::Config{2, 1});
  pca.update(data.values.data(), data.count);
  refuses(pca);
}

}  // namespace
