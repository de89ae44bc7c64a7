// Worker processes: what kills the compiler or the worker, and what happens to the jobs.
#include "worker_process.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "check.h"
#include "compiler.h"
#include "pool.h"

using namespace mmptx;
using std::chrono::milliseconds;

namespace {

// This process's environment, which tells sanitizers in workers where to put their reports.
std::vector<std::string> environment() {
  std::vector<std::string> entries;
  for (char **each = environ; *each != nullptr; each++) entries.emplace_back(*each);
  return entries;
}

struct Workers {
  std::shared_ptr<WorkerTotals> totals = std::make_shared<WorkerTotals>();
  std::shared_ptr<const WorkerSettings> settings;

  explicit Workers(uint64_t memoryLimit = 0, const std::string &executable = workerPath(),
                   const std::string &library = libraryPath())
      : settings(std::make_shared<WorkerSettings>(WorkerSettings{executable, library, memoryLimit, environment()})) {}

  std::unique_ptr<Executor> executor() const { return workerExecutor(settings, totals); }
};

std::shared_ptr<const std::string> argumentsFor(const std::string &arch) {
  return std::make_shared<const std::string>("--gpu-name=" + arch + " --opt-level=3");
}

Finished run(Executor &executor, const std::string &ptx, const std::string &arch = "sm_80") {
  Job job;
  job.arguments = argumentsFor(arch);
  Finished result;
  executor.run(job, ptx, result);
  return result;
}

// As much as can be read: a file of /proc cannot be read once its process has ended, and iterators over it would then throw.
std::string fileText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The children of this process, by the name of their executable.
std::set<pid_t> children() {
  std::set<pid_t> found;
  DIR *folder = opendir("/proc");
  while (const dirent *entry = folder == nullptr ? nullptr : readdir(folder)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    const std::string stat = fileText("/proc/" + std::string(entry->d_name) + "/stat");
    const std::size_t at = stat.rfind(')');
    int parent = 0;
    char state = 0;
    if (at == std::string::npos || std::sscanf(stat.c_str() + at + 1, " %c %d", &state, &parent) != 2) continue;
    if (parent == getpid() && state != 'Z' && stat.find("mmptx-worker") != std::string::npos) {
      found.insert(std::atoi(entry->d_name));
    }
  }
  if (folder != nullptr) closedir(folder);
  return found;
}

#define EXPECT_OUTCOME(result, expected) EXPECT_EQUAL(static_cast<int>((result).outcome), static_cast<int>(expected))

}  // namespace

TEST("worker: compiles like the library, one job after another") {
  const Workers workers;
  const auto executor = workers.executor();
  std::string first;
  for (std::size_t i = 0; i < check::cases(500); i++) {
    const Finished made = run(*executor, module("k"));
    EXPECT_OUTCOME(made, Outcome::compiled);
    const std::string cubin(static_cast<const char *>(made.result.cubin), made.result.cubin_size);
    if (first.empty()) first = cubin;
    EXPECT(cubin == first);
    EXPECT(made.memoryBytes > 1 << 20);
    const Finished failed = run(*executor, module("k", "\tbra nowhere;\n"));
    EXPECT_OUTCOME(failed, Outcome::failed);
    EXPECT(std::strstr(failed.result.error_log, "nowhere") != nullptr);
  }
  EXPECT_EQUAL(workers.totals->started.load(), 1u);
}

TEST("worker: a text that kills the compiler fails with the signal, and the next one compiles") {
  const Workers workers;
  const auto executor = workers.executor();
  unsigned count = 0;
  DIR *folder = opendir(MMPTX_TEST_CRASHERS);
  while (const dirent *entry = folder == nullptr ? nullptr : readdir(folder)) {
    const std::string name = entry->d_name;
    const std::size_t at = name.find(".sm_");
    if (at == std::string::npos) continue;
    const std::string arch = name.substr(at + 1, name.rfind('.') - at - 1);
    const Finished crashed = run(*executor, fileText(MMPTX_TEST_CRASHERS "/" + name), arch);
    EXPECT_OUTCOME(crashed, Outcome::crashed);
    EXPECT(crashed.signal == SIGSEGV || crashed.signal == SIGFPE || crashed.signal == SIGABRT);
    EXPECT_OUTCOME(run(*executor, module("k")), Outcome::compiled);
    count++;
  }
  if (folder != nullptr) closedir(folder);
  EXPECT(count >= 2);
  EXPECT_EQUAL(workers.totals->crashed.load(), count);
}

// Kills the workers of this process at once, as soon as they have started, until it is destroyed.
class Killer {
 public:
  Killer(const Workers &workers, uint64_t most) : thread_([this, &workers, most] { kill(workers, most); }) {}
  ~Killer() {
    done_ = true;
    thread_.join();
  }

 private:
  void kill(const Workers &workers, uint64_t most) {
    for (uint64_t killed = 0; killed < most && !done_;) {
      const uint64_t started = workers.totals->started;
      if (started == killed) {
        std::this_thread::yield();
        continue;
      }
      for (const pid_t child : children()) ::kill(child, SIGKILL);
      killed = started;
    }
  }

  std::atomic<bool> done_{false};
  std::thread thread_;
};

TEST("worker: killed many times before it works, a job is compiled all the same") {
  const Workers workers;
  const auto executor = workers.executor();
  const Killer killer(workers, 25);
  // It takes longer than the killer needs to find the worker.
  EXPECT_OUTCOME(run(*executor, stubborn(3000, 128)), Outcome::compiled);
  EXPECT(workers.totals->crashed > 10);
}

TEST("worker: killed again and again, a job ends") {
  const Workers workers;
  const auto executor = workers.executor();
  const Killer killer(workers, UINT64_MAX);
  const Finished result = run(*executor, stubborn(20000, 512));
  EXPECT_OUTCOME(result, Outcome::crashed);
  EXPECT_EQUAL(result.signal, SIGKILL);
}

TEST("worker: killed from outside again and again, no job is lost") {
  const Workers workers;
  constexpr std::size_t kThreads = 2;
  const std::size_t each = check::cases(400);
  std::atomic<std::size_t> done[kThreads] = {};
  std::vector<std::thread> threads;
  for (std::atomic<std::size_t> &count : done) {
    threads.emplace_back([&workers, &count, each] {
      const auto executor = workers.executor();
      for (; count < each; count++) EXPECT_OUTCOME(run(*executor, module("k")), Outcome::compiled);
    });
  }
  // Every thread must complete something between two rounds, however slow the machine is.
  std::size_t seen[kThreads] = {};
  const auto advanced = [&](std::size_t i) { return done[i] > seen[i]; };
  while (done[0] < each && done[1] < each) {
    std::this_thread::sleep_for(milliseconds(check::below(8)));
    if (!advanced(0) || !advanced(1)) continue;
    for (std::size_t i = 0; i < kThreads; i++) seen[i] = done[i];
    for (const pid_t child : children()) kill(child, SIGKILL);
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT(workers.totals->started > 2 * kThreads);
  EXPECT(children().empty());
}

TEST("worker: a job that exceeds the memory limit fails, and the next one compiles") {
  const Workers workers(1ull << 30);
  const auto executor = workers.executor();
  const Finished grown = run(*executor, module("k", "\t.reg .f32 %v<1000000000>;\n"));
  EXPECT_OUTCOME(grown, Outcome::outgrown);
  EXPECT(grown.memoryBytes > 1ull << 30);
  EXPECT_EQUAL(workers.totals->outgrown.load(), 1u);
  EXPECT_OUTCOME(run(*executor, module("k")), Outcome::compiled);
}

TEST("worker: a cancelled compile ends, whether it polls or not") {
  const Workers workers;
  const auto executor = workers.executor();
  run(*executor, module("k"));
  Job job;
  job.arguments = argumentsFor("sm_80");
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(300));
    __atomic_store_n(&job.cancel, 1, __ATOMIC_RELAXED);
    executor->wake();
  });
  Finished result;
  executor->run(job, stubborn(20000, 512), result);
  stopper.join();
  EXPECT(result.outcome != Outcome::compiled);
  EXPECT_OUTCOME(run(*executor, module("k")), Outcome::compiled);
}

TEST("worker: a compile that is cancelled before it starts does not block others") {
  const Workers workers;
  const auto executor = workers.executor();
  for (std::size_t i = 0; i < check::cases(200); i++) {
    Job job;
    job.arguments = argumentsFor("sm_80");
    job.cancel = 1;
    executor->wake();
    Finished result;
    executor->run(job, module("k"), result);
    EXPECT_OUTCOME(run(*executor, module("k")), Outcome::compiled);
  }
}

TEST("worker: a file that cannot be a worker is reported in words") {
  const auto problem = [](const Workers &workers) {
    const Finished result = run(*workers.executor(), module("k"));
    EXPECT_OUTCOME(result, Outcome::noWorker);
    EXPECT(workers.totals->started == 0);
    return result.problem;
  };
  EXPECT_EQUAL(problem(Workers(0, "/nowhere/mmptx-worker")), std::string("/nowhere/mmptx-worker: No such file or directory"));
  EXPECT_EQUAL(problem(Workers(0, "/bin/true")), std::string("the worker ended at its start with code 0"));
  EXPECT(problem(Workers(0, workerPath(), "/nowhere/lib.so")).find("/nowhere/lib.so") != std::string::npos);
}

TEST("worker: two pools at once, with jobs that are cancelled and time out") {
  std::vector<std::thread> owners;
  for (int i = 0; i < 2; i++) {
    owners.emplace_back([] {
      const Workers workers;
      std::atomic<bool> announced{false};
      Pool pool([&workers] { return workers.executor(); }, 2, [&announced] { announced = true; });
      const std::size_t count = check::cases(300);
      std::size_t expected = count;
      for (uint64_t id = 0; id < count; id++) {
        auto job = std::make_shared<Job>();
        job->id = id;
        job->arguments = argumentsFor("sm_80");
        job->source.text = module("k" + std::to_string(id));
        if (id % 7 == 3) job->timeout = milliseconds(1);
        pool.submit(std::move(job));
        if (id % 5 == 4 && pool.cancel(id - 2)) expected--;
      }
      std::vector<Finished> results;
      for (int turns = 0; results.size() < expected && turns < 60000; turns++) {
        std::this_thread::sleep_for(milliseconds(1));
        if (announced.exchange(false)) {
          while (pool.take(results, 16)) {
          }
        }
      }
      EXPECT_EQUAL(results.size(), expected);
      for (const Finished &result : results) {
        EXPECT(result.outcome == Outcome::compiled || (result.id % 7 == 3 && result.outcome == Outcome::timedOut));
      }
      pool.close(Clock::now() + std::chrono::seconds(60));
    });
  }
  for (std::thread &each : owners) each.join();
  EXPECT(children().empty());
}
