/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload (LD_PRELOAD) that gives a process the clock of another host: its time of day is CLOCK_SHIFT
 * seconds ahead, and it was started CLOCK_UPTIME seconds ago where that is set. Times of files stay.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long number(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(clock, time);
    if (status == 0 && clock == CLOCK_REALTIME) time->tv_sec += number("CLOCK_SHIFT");
    if (status == 0 && clock == CLOCK_BOOTTIME && getenv("CLOCK_UPTIME") != NULL)
        time->tv_sec = number("CLOCK_UPTIME");
    return status;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}
