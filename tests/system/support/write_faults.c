/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload (LD_PRELOAD) that lets writes fail or hang: the k-th call of one rank that changes a file whose
 * name contains a word returns an error without doing anything, once or from then on, or does not return. Reserving
 * room is left alone, so that the error comes where the program has every reason to expect success.
 *
 *   FAULT_FILE   word in the path of the file           FAULT_CALL   k, from 1; 0: none fails
 *   FAULT_RANK   rank in MPI_COMM_WORLD (Open MPI)      FAULT_ERROR  errno; 0: it hangs
 *   FAULT_STAYS  1: all later calls fail too            FAULT_LOG    calls are listed in <FAULT_LOG>.<rank>
 *   FAULT_AFTER  a call as it is listed: k counts the calls after the first such one
 *
 * How many calls a part of a run makes depends on which rank has which particles, hence on the speed of the ranks:
 * FAULT_FILE and FAULT_AFTER choose by what is written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long num_calls;
static int is_counting;

static long number(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

static const char *own_rank(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank == NULL ? "0" : rank;
}

/* The name of an open file, empty unless its path has the word. */
static void find_name(int descriptor, char *path, size_t size) {
    const char *word = getenv("FAULT_FILE");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = word == NULL ? 0 : readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    if (word == NULL || strstr(path, word) == NULL) path[0] = '\0';
}

static void append_to_log(const char *line) {
    char name[4096];
    if (getenv("FAULT_LOG") == NULL) return;
    snprintf(name, sizeof name, "%s.%s", getenv("FAULT_LOG"), own_rank());
    FILE *log = fopen(name, "a");
    if (log == NULL) return;
    fprintf(log, "%s\n", line);
    fclose(log);
}

/* The number of a call among those that count, 0 for others. */
static long number_of_call(const char *call, const char *path) {
    const char *after = getenv("FAULT_AFTER");
    char line[8192];
    snprintf(line, sizeof line, "%s %s", call, strrchr(path, '/') + 1);
    append_to_log(line);
    if (is_counting || after == NULL) return ++num_calls;
    is_counting = strcmp(line, after) == 0;
    return 0;
}

static void hang(void) {
    append_to_log("hangs");
    for (;;) pause();
}

/* Whether this call fails; then errno is set. */
static int fails(int descriptor, const char *call) {
    char path[4096];
    find_name(descriptor, path, sizeof path);
    if (path[0] == '\0') return 0;
    pthread_mutex_lock(&lock);
    const long k = number_of_call(call, path), chosen = number("FAULT_CALL");
    pthread_mutex_unlock(&lock);
    if (chosen == 0 || atol(own_rank()) != number("FAULT_RANK")) return 0;
    if (k < chosen || (k > chosen && number("FAULT_STAYS") == 0)) return 0;
    if (number("FAULT_ERROR") == 0) hang();
    errno = (int)number("FAULT_ERROR");
    return 1;
}

/* Defines a function that fails or does what the C library's does. */
#define FORWARD(result, name, parameters, arguments)                             \
    result name parameters {                                                     \
        static result(*real) parameters;                                         \
        if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, #name);           \
        return fails(descriptor, #name) ? -1 : real arguments;                   \
    }

FORWARD(ssize_t, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size))
FORWARD(ssize_t, pwrite, (int descriptor, const void *bytes, size_t size, off_t at), (descriptor, bytes, size, at))
FORWARD(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at))
FORWARD(ssize_t, writev, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
FORWARD(ssize_t, pwritev, (int descriptor, const struct iovec *parts, int count, off_t at),
        (descriptor, parts, count, at))
FORWARD(ssize_t, pwritev64, (int descriptor, const struct iovec *parts, int count, off64_t at),
        (descriptor, parts, count, at))
FORWARD(int, fsync, (int descriptor), (descriptor))
FORWARD(int, fdatasync, (int descriptor), (descriptor))
FORWARD(int, ftruncate, (int descriptor, off_t length), (descriptor, length))
FORWARD(int, ftruncate64, (int descriptor, off64_t length), (descriptor, length))
