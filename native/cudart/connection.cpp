#include "connection.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>

#include "mutex.h"

namespace cudart {
namespace {

constexpr const char* SOCKET_VARIABLE = "MM_PTX_EMULATE_SOCKET";

struct Link {
  Mutex mutex;
  int socket = -1;
  pid_t owner = 0;
  HelloAnswer hello{};
  std::atomic<int> error{SUCCESS};
};

/** Never destroyed: exit handlers of the program still call the library. */
Link& link() {
  static Link* made = new Link;
  return *made;
}

bool send_all(int socket, const uint8_t* data, size_t size) {
  while (size > 0) {
    const ssize_t sent = send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* target, size_t size) {
  auto* data = static_cast<uint8_t*>(target);
  while (size > 0) {
    const ssize_t found = recv(socket, data, size, MSG_WAITALL);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return false;
    data += found;
    size -= static_cast<size_t>(found);
  }
  return true;
}

Error lost(Link& link) {
  if (link.socket >= 0) close(link.socket);
  link.socket = -1;
  if (link.error.exchange(UNKNOWN) != UNKNOWN) complain("the emulator has ended, so no CUDA call works any more");
  return UNKNOWN;
}

/** The caller holds the link. */
Error exchange(Link& link, const std::vector<uint8_t>& sent, Answer* answer) {
  if (!send_all(link.socket, sent.data(), sent.size())) return lost(link);
  AnswerHeader header;
  if (!receive_all(link.socket, &header, sizeof header)) return lost(link);
  if (header.printed_bytes > 0) {
    std::vector<char> text(header.printed_bytes);
    if (!receive_all(link.socket, text.data(), text.size())) return lost(link);
    fwrite(text.data(), 1, text.size(), stdout);
  }
  Answer ignored;
  Answer& body = answer == nullptr ? ignored : *answer;
  body.resize(header.bytes);
  if (header.bytes > 0 && !receive_all(link.socket, body.data(), body.size())) return lost(link);
  const auto error = static_cast<Error>(header.error);
  if (header.sticky != 0) link.error = error;
  return error;
}

/** Called once per process. */
void open_link() {
  Link& made = link();
  made.owner = getpid();
  const char* path = getenv(SOCKET_VARIABLE);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path == nullptr || strlen(path) >= sizeof address.sun_path) {
    complain("expected a program that `mm-ptx-emulate run` has started, found no emulator (%s is not set)",
             SOCKET_VARIABLE);
    made.error = INITIALIZATION;
    return;
  }
  strcpy(address.sun_path, path);
  const int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (opened < 0 || connect(opened, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    complain("expected the emulator at %s, found none: %s", path, strerror(errno));
    if (opened >= 0) close(opened);
    made.error = INITIALIZATION;
    return;
  }
  made.socket = opened;
#ifdef PR_SET_PTRACER
  // The emulator is usually our parent, which may access our memory; below a script, it has to be allowed.
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(opened, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
    prctl(PR_SET_PTRACER, static_cast<unsigned long>(peer.pid), 0, 0, 0);
#endif
  // The emulator finds this number in our memory if it can access it.
  static volatile uint64_t probe = 0x6d6d2d7074780000ull + static_cast<uint64_t>(made.owner);
  Message hello(Operation::HELLO);
  hello.add(WIRE_VERSION).add(static_cast<uint32_t>(made.owner));
  hello.add(reinterpret_cast<uint64_t>(&probe)).add(static_cast<uint64_t>(probe));
  Answer answer;
  const Error error = exchange(made, hello.finish(true), &answer);
  if (error == SUCCESS && answer.size() == sizeof(HelloAnswer)) {
    memcpy(&made.hello, answer.data(), sizeof(HelloAnswer));
  } else if (made.error == SUCCESS) {
    complain("expected an emulator of the same version, found another one");
    made.error = INITIALIZATION;
  }
}

Link& opened() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_link);
  Link& made = link();
  // The connection belongs to the parent of a fork, as a CUDA context does.
  if (made.owner != getpid()) {
    made.error = INITIALIZATION;
    made.socket = -1;
  }
  return made;
}

}  // namespace

const std::vector<uint8_t>& Message::finish(bool wants_answer) {
  MessageHeader header{static_cast<uint32_t>(operation_) | (wants_answer ? WANTS_ANSWER : 0),
                       static_cast<uint32_t>(bytes_.size() - sizeof(MessageHeader))};
  memcpy(bytes_.data(), &header, sizeof header);
  return bytes_;
}

const HelloAnswer& device() { return opened().hello; }

Error post(Message& message) {
  Link& made = opened();
  const auto& bytes = message.finish(false);
  Hold hold(made.mutex);
  if (made.error != SUCCESS) return static_cast<Error>(made.error.load());
  return send_all(made.socket, bytes.data(), bytes.size()) ? SUCCESS : lost(made);
}

Error request(Message& message, Answer* answer) {
  Link& made = opened();
  const auto& bytes = message.finish(true);
  Hold hold(made.mutex);
  if (made.socket < 0) return static_cast<Error>(made.error.load());
  return exchange(made, bytes, answer);
}

Error synchronize() {
  if (const Error error = device_error()) return error;
  Message message(Operation::SYNCHRONIZE);
  return request(message);
}

Error device_error() { return static_cast<Error>(opened().error.load()); }

void clear_device_error() {
  if (opened().socket >= 0) link().error = SUCCESS;
}

bool connected() { return opened().socket >= 0; }

void complain(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "mm-ptx-emulate: %s\n", text);
}

}  // namespace cudart
