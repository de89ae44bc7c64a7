// A recursive mutex without a destructor, because exit handlers of the program still call the library.
#pragma once
#include <pthread.h>

namespace cudart {

struct Mutex {
  pthread_mutex_t native;
  Mutex() {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&native, &recursive);
  }
};

class Hold {
 public:
  explicit Hold(Mutex& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_.native); }
  ~Hold() { pthread_mutex_unlock(&mutex_.native); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace cudart
