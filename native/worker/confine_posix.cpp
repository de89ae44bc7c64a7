// A filter for system calls (seccomp, seccomp(2)) that lets a compile and its reply through. The kernel ends the process
// at any other call. Only calls that look for files fail with "no such file" instead, because nvPTXCompiler asks for the
// size and time of every `.file`.
#include "confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include "file.h"

// Newer than the headers of some systems that we build on.
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

namespace mmptx {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// What a compile needs, with the calls that end a process or a thread.
constexpr int kAllowed[] = {
    SYS_brk,          SYS_clock_gettime,  SYS_clock_nanosleep,  SYS_exit,         SYS_exit_group,     SYS_futex,         SYS_getpid,
    SYS_gettid,       SYS_gettimeofday,   SYS_mremap,         SYS_munmap,        SYS_pread64,
    SYS_read,         SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sched_yield,
    SYS_write,        SYS_writev,
};

// The first kind of advice on memory that needs privileges; see <asm-generic/mman-common.h>.
constexpr uint32_t kOfPrivileged = 100;

// Calls that look for a file or a folder.
constexpr int kNothingFound[] = {
#ifdef SYS_stat
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
    SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_getcwd,
};

// What nvJitLink does besides, with the files that are open and about the machine.
constexpr int kAlsoAllowed[] = {
    SYS_close, SYS_fstat, SYS_getrusage, SYS_lseek, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
    SYS_sched_getaffinity, SYS_sigaltstack, SYS_sysinfo, SYS_uname,
};

constexpr int kOpenings[] = {
#ifdef SYS_open
    SYS_open,
#endif
    SYS_openat,
};

// Calls that reach other processes, the network or the machine. Some are younger than the headers of systems that we
// build on; their numbers are the same on all architectures.
constexpr int kReaching[] = {
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_add_key, SYS_keyctl, SYS_request_key, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open, SYS_unshare, SYS_setns,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setpriority, SYS_sched_setaffinity, SYS_sched_setscheduler,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_settimeofday, SYS_clock_settime, SYS_open_by_handle_at,
    // pidfd_send_signal, io_uring_setup, io_uring_enter, io_uring_register, open_tree, move_mount, fsopen, fsconfig, fsmount,
    // fspick, pidfd_open, pidfd_getfd, process_madvise, mount_setattr, process_mrelease
    424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 448,
};
// Its arguments are in memory, where a filter can't read them; without it, `clone` is used.
constexpr int kClone3 = 435;
// A flag of `clone`: a thread of the same process.
constexpr uint32_t kThread = 0x10000;
// Set in the numbers of calls with other conventions (x32).
constexpr uint32_t kOtherNumbers = 0x40000000;

// The program of the filter; see <linux/filter.h>.
class Filter {
 public:
  // Forbids everything but what a compile needs.
  explicit Filter(Opening opening) {
    begin();
    for (const int call : kAllowed) on(call, SECCOMP_RET_ALLOW);
    for (const int call : kNothingFound) on(call, SECCOMP_RET_ERRNO | ENOENT);
    if (opening == Opening::findsNothing) {
      for (const int call : kAlsoAllowed) on(call, SECCOMP_RET_ALLOW);
      for (const int call : kOpenings) on(call, SECCOMP_RET_ERRNO | ENOENT);
    }
    for (const int call : {SYS_mmap, SYS_mprotect}) onArgument(call, 2, BPF_JSET, PROT_EXEC, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW);
    // Privileged processes can take memory from all others: MADV_HWPOISON, MADV_SOFT_OFFLINE.
    onArgument(SYS_madvise, 2, BPF_JGE, kOfPrivileged, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW);
    // Signals only to itself: `abort` sends one.
    onArgument(SYS_tgkill, 0, BPF_JEQ, static_cast<uint32_t>(getpid()), SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS);
    give(SECCOMP_RET_KILL_PROCESS);
  }

  // Allows everything that stays in this process and its files.
  Filter() {
    begin();
    add(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 0, 1);
    give(SECCOMP_RET_KILL_PROCESS);
    for (const int call : kReaching) on(call, SECCOMP_RET_ERRNO | EPERM);
    on(kClone3, SECCOMP_RET_ERRNO | ENOSYS);
    onArgument(SYS_clone, 0, BPF_JSET, kThread, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EPERM);
    onArgument(SYS_madvise, 2, BPF_JGE, kOfPrivileged, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW);
    onArgument(SYS_prlimit64, 0, BPF_JEQ, 0, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EPERM);
    onArgument(SYS_tgkill, 0, BPF_JEQ, static_cast<uint32_t>(getpid()), SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EPERM);
    give(SECCOMP_RET_ALLOW);
  }

  bool install() {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  void begin() {
    load(offsetof(seccomp_data, arch));
    // Calls of other architectures have other numbers.
    keep(BPF_JEQ, kArchitecture);
    load(offsetof(seccomp_data, nr));
  }
  void add(uint32_t code, uint32_t value, unsigned whenTrue = 0, unsigned whenFalse = 0) {
    code_.push_back({static_cast<uint16_t>(code), static_cast<uint8_t>(whenTrue), static_cast<uint8_t>(whenFalse), value});
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  void give(uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
  // Ends the process unless the loaded value passes.
  void keep(uint32_t test, uint32_t value) {
    add(BPF_JMP | test | BPF_K, value, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
  }
  void on(int call, uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
    give(verdict);
  }
  // Looks at the low half of an argument; on all our architectures it comes first.
  void onArgument(int call, unsigned argument, uint32_t test, uint32_t value, uint32_t whenTrue, uint32_t whenFalse) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
    add(BPF_JMP | test | BPF_K, value, 0, 1);
    give(whenTrue);
    give(whenFalse);
  }

  std::vector<sock_filter> code_;
};

void limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
  const rlimit none{most, most};
  setrlimit(resource, &none);
}

// Landlock, landlock(7), with numbers of our own, because not all systems that we build on have its header.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1;
constexpr int kBeneath = 1;
constexpr uint64_t kExecute = 1 << 0;
constexpr uint64_t kReadFile = 1 << 2;
constexpr uint64_t kReadFolder = 1 << 3;
// Every right of the first version, and of the later ones.
constexpr uint64_t kFirstRights = (1 << 13) - 1;
constexpr uint64_t kRefer = 1 << 13;
constexpr uint64_t kTruncate = 1 << 14;
constexpr uint64_t kDevices = 1 << 15;
constexpr uint64_t kTcp = 3;

struct Ruleset {
  uint64_t files;
  uint64_t network;
};
struct __attribute__((packed)) Beneath {
  uint64_t rights;
  int32_t folder;
};

// Where libraries and programs of the system are.
constexpr const char *kSystem[] = {"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"};

bool allow(int ruleset, const std::string &path, uint64_t rights) {
  const File place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat about{};
  if (!place || fstat(place.number(), &about) != 0) return errno == ENOENT || errno == ENOTDIR;
  // A file has no rights of folders.
  const uint64_t ofFiles = kExecute | kReadFile | (1 << 1) | kTruncate;
  const Beneath rule{S_ISDIR(about.st_mode) ? rights : rights & ofFiles, place.number()};
  return syscall(kAddRule, ruleset, kBeneath, &rule, 0U) == 0;
}

std::string withReason(const char *what) { return std::string(what) + ": " + std::strerror(errno); }

}  // namespace

int landlockVersion(std::string &error) {
  const long version = syscall(kCreateRuleset, nullptr, std::size_t{0}, kAskVersion);
  if (version < 1) error = withReason("Landlock");
  return static_cast<int>(std::max(0L, version));
}

std::string confineFiles(const std::vector<std::string> &readable, const std::vector<std::string> &writable) {
  std::string problem;
  const int version = landlockVersion(problem);
  if (version < 1) return problem;
  Ruleset all{kFirstRights, version >= 4 ? kTcp : 0};
  if (version >= 2) all.files |= kRefer;
  if (version >= 3) all.files |= kTruncate;
  if (version >= 5) all.files |= kDevices;
  const File ruleset(static_cast<int>(syscall(kCreateRuleset, &all, version >= 4 ? sizeof all : sizeof all.files, 0U)));
  if (!ruleset) return withReason("Landlock");
  const uint64_t toRead = kExecute | kReadFile | kReadFolder;
  bool allowed = true;
  for (const char *path : kSystem) allowed = allowed && allow(ruleset.number(), path, toRead);
  for (const std::string &path : readable) allowed = allowed && allow(ruleset.number(), path, toRead);
  for (const std::string &path : writable) allowed = allowed && allow(ruleset.number(), path, all.files);
  if (!allowed || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return withReason("Landlock");
  if (syscall(kRestrictSelf, ruleset.number(), 0U) != 0) return withReason("Landlock");
  return {};
}

std::string confineReach(uint64_t memoryLimit) {
  if (kSanitized) return {};
  limit(RLIMIT_SIGPENDING, 0);
  if (memoryLimit != 0) limit(RLIMIT_AS, addressSpace(memoryLimit));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return withReason("prctl");
  if (!Filter().install()) return withReason("seccomp");
  return {};
}

std::string confine(Opening opening, uint64_t memoryLimit) {
  if (kSanitized) return "it is built with a sanitizer, which needs more";
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_NOFILE, 0);
  // Signals that wait count for all processes of the user.
  limit(RLIMIT_SIGPENDING, 0);
  if (memoryLimit != 0) limit(RLIMIT_AS, addressSpace(memoryLimit));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return withReason("prctl");
  if (!Filter(opening).install()) return withReason("seccomp");
  return {};
}

}  // namespace mmptx
