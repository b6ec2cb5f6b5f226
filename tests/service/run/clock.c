/* Preloaded into the service's processes: their time of day goes wrong by as many seconds as a file says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long wrong(void) {
    char said[32] = {0};
    const char *name = getenv("WRONG_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    ssize_t length = read(file, said, sizeof said - 1);
    close(file);
    return length > 0 ? atol(said) : 0;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec += wrong();
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec found;
    int failed = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *there) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (there) *there = found.tv_sec;
    return found.tv_sec;
}
