/* Runs work on several threads at once and waits for all of them. */
#define _POSIX_C_SOURCE 200809L

#include "CJPEGStripes.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* The maximum number of threads of one call besides the caller's. */
#define MOST_THREADS 63

struct job {
  pthread_t thread;
  size_t index;
  void *context;
  void (*work)(void *context, size_t index);
};

static void *run(void *argument) {
  struct job *job = argument;
  job->work(job->context, job->index);
  return NULL;
}

void cjpegstripes_perform(size_t count, void *context, void (*work)(void *context, size_t index)) {
  struct job jobs[MOST_THREADS];
  size_t started = 0;
  /* The process's signals are left to the threads that wait for them. */
  sigset_t all, before;
  sigfillset(&all);
  const bool is_masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  for (size_t index = 1; index < count && started < MOST_THREADS; index++) {
    struct job *job = &jobs[started];
    *job = (struct job){.index = index, .context = context, .work = work};
    if (pthread_create(&job->thread, NULL, run, job) != 0) break;
    started++;
  }
  if (is_masked) pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (count > 0) work(context, 0);
  for (size_t index = started + 1; index < count; index++) work(context, index);
  for (size_t index = 0; index < started; index++) pthread_join(jobs[index].thread, NULL);
}
