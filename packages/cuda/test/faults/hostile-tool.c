/* NVRTC and nvJitLink in one library that does what an input would do that has taken over the true one: what its text
 * names after `hostile: `. A word about the outcome is its log. */
#define _GNU_SOURCE
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

static char text[4096];
static const char *outcome = "";
static volatile int opened;

static const char *say(long result) { return result < 0 ? "refused" : "done"; }

static void openFile(int signal) {
  (void)signal;
  opened = open("/proc/self/cmdline", O_RDONLY) < 0 ? -1 : 1;
}

/* Opens a file on another thread of the process, the youngest one. */
static const char *elsewhere(void) {
  DIR *tasks = opendir("/proc/self/task");
  pid_t other = 0;
  if (tasks == NULL) {
    /* Threads have the numbers after the process. */
    for (pid_t id = getpid() + 1; id < getpid() + 64 && other == 0; id++)
      if (syscall(SYS_tgkill, getpid(), id, 0) == 0) other = id;
  } else {
    for (struct dirent *each; (each = readdir(tasks)) != NULL;)
      if (atoi(each->d_name) > getpid()) other = atoi(each->d_name);
  }
  if (other == 0) return "no thread";
  signal(SIGUSR1, openFile);
  syscall(SYS_tgkill, getpid(), other, SIGUSR1);
  for (int i = 0; i < 1000 && opened == 0; i++) usleep(1000);
  return say(opened);
}

static const char *start(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return say(child);
}

/* Answers without end, or with these numbers. */
static void flood(void) {
  static const char bytes[1 << 16] = {4};
  while (write(3, bytes, sizeof bytes) > 0) continue;
}
static void answer(const uint32_t *numbers, size_t size) {
  if (write(3, numbers, size) < 0) return;
  _exit(0);
}

static const char *act(void) {
  char what[32] = "";
  const char *at = strstr(text, "hostile: ");
  if (at != NULL) sscanf(at, "hostile: %31s", what);
  if (strcmp(what, "environment") == 0) return getenv("MM_PTX_SECRET") == NULL ? "absent" : "found";
  if (strcmp(what, "kill") == 0) return say(kill(getppid(), 0));
  if (strcmp(what, "start") == 0) return start();
  if (strcmp(what, "socket") == 0) return say(socket(AF_INET, SOCK_DGRAM, 0));
  if (strcmp(what, "local") == 0) return say(socket(AF_UNIX, SOCK_STREAM, 0));
  if (strcmp(what, "elsewhere") == 0) return elsewhere();
  if (strcmp(what, "flood") == 0) flood();
  if (strcmp(what, "lists") == 0) answer((uint32_t[]){0xffffffff, 0}, 8);
  if (strcmp(what, "pieces") == 0) answer((uint32_t[]){3, 0, 0xffffffff, 0}, 16);
  if (strcmp(what, "short") == 0) answer((uint32_t[]){3, 0, 5, 1, '0', 0, 0, 0, 0, 1, 1000, 7}, 48);
  return "done";
}

static int take(const char *from, size_t size) {
  snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), from);
  outcome = act();
  return 0;
}

API int nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, 0; }
API const char *nvrtcGetErrorString(int result) { return (void)result, "NVRTC_ERROR_COMPILATION"; }
API int nvrtcCreateProgram(void **program, const char *source) { return *program = text, snprintf(text, sizeof text, "%s", source), 0; }
API int nvrtcDestroyProgram(void **program) { return (void)program, 0; }
API int nvrtcAddNameExpression(void *program) { return (void)program, 0; }
API int nvrtcCompileProgram(void *program) { return (void)program, outcome = act(), 6; }
API int nvrtcGetLoweredName(void *program) { return (void)program, 1; }
API int nvrtcGetProgramLogSize(void *program, size_t *size) { return (void)program, *size = strlen(outcome) + 1, 0; }
API int nvrtcGetProgramLog(void *program, char *log) { return (void)program, strcpy(log, outcome), 0; }
#define OUTPUT(name) \
  API int name##Size(void *program, size_t *size) { return (void)program, *size = 0, 0; } \
  API int name(void *program, char *into) { return (void)program, (void)into, 0; }
OUTPUT(nvrtcGetPTX)
OUTPUT(nvrtcGetCUBIN)
OUTPUT(nvrtcGetLTOIR)

API int nvJitLinkVersion(unsigned *major, unsigned *minor) { return *major = 13, *minor = 0, 0; }
API int nvJitLinkCreate(void **handle) { return *handle = text, 0; }
API int nvJitLinkDestroy(void **handle) { return (void)handle, 0; }
API int nvJitLinkAddData(void *handle, int type, const void *data, size_t size) { return (void)handle, (void)type, take(data, size); }
API int nvJitLinkComplete(void *handle) { return (void)handle, strcmp(outcome, "done") == 0 && strstr(text, "hostile") == NULL ? 0 : 8; }
API int nvJitLinkGetErrorLogSize(void *handle, size_t *size) { return (void)handle, *size = strlen(outcome) + 1, 0; }
API int nvJitLinkGetErrorLog(void *handle, char *log) { return (void)handle, strcpy(log, outcome), 0; }
API int nvJitLinkGetInfoLogSize(void *handle, size_t *size) { return (void)handle, *size = 0, 0; }
API int nvJitLinkGetInfoLog(void *handle, char *log) { return (void)handle, (void)log, 0; }
API int nvJitLinkGetLinkedCubinSize(void *handle, size_t *size) { return (void)handle, *size = 1, 0; }
API int nvJitLinkGetLinkedCubin(void *handle, char *cubin) { return (void)handle, *cubin = 1, 0; }
