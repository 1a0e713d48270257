/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload (LD_PRELOAD) that records what a process does to files whose name contains a word: writes with
 * their bytes, changes of length, renamings, removals. From the record kill_states.py rebuilds each state of the files
 * that a kill could have left. All ranks append to one record, each call before it is done, so their order is one that
 * could have been.
 *
 *   RECORD_FILE  word in the path of the file, whose .lock is left out
 *   RECORD_LOG   the record: per call a line "name<TAB>path<TAB>offset<TAB>length", after a write its bytes;
 *                of a renaming the new path stands in place of the offset
 *   RECORD_KILL  k: the process is killed (SIGKILL) in the middle of its k-th write, from 1
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long num_writes;

static int is_recorded(const char *path) {
    const char *word = getenv("RECORD_FILE");
    return word != NULL && strstr(path, word) != NULL && strstr(path, ".lock") == NULL;
}

static void append(const char *call, const char *path, const char *offset, const void *bytes, size_t length) {
    static int record = -1;
    char head[9000];
    const char *name = getenv("RECORD_LOG");
    if (name == NULL) return;
    pthread_mutex_lock(&lock);
    if (record < 0) record = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const int size = snprintf(head, sizeof head, "%s\t%s\t%s\t%zu\n", call, path, offset, length);
    const struct iovec parts[2] = {{head, (size_t)size}, {(void *)bytes, bytes == NULL ? 0 : length}};
    if (writev(record, parts, bytes == NULL ? 1 : 2) < 0) abort();
    pthread_mutex_unlock(&lock);
}

/* The path of an open file, empty unless it is recorded. */
static void find_path(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    if (!is_recorded(path)) path[0] = '\0';
}

static void record(int descriptor, const char *call, off64_t offset, const void *bytes, size_t length) {
    char path[4096], text[32];
    find_path(descriptor, path, sizeof path);
    if (path[0] == '\0') return;
    snprintf(text, sizeof text, "%lld", (long long)offset);
    append(call, path, text, bytes, length);
}

/* Whether the process is to be killed in the middle of this write. */
static int is_last(int descriptor) {
    char path[4096];
    const char *last = getenv("RECORD_KILL");
    if (last == NULL) return 0;
    find_path(descriptor, path, sizeof path);
    return path[0] != '\0' && ++num_writes == atol(last);
}

#define REAL(result, name, parameters)          \
    static result(*real) parameters;            \
    if (real == NULL) *(void **)(&real) = dlsym(RTLD_NEXT, #name)

#define PWRITE(name, offset_type)                                                       \
    ssize_t name(int descriptor, const void *bytes, size_t size, offset_type offset) {  \
        REAL(ssize_t, name, (int, const void *, size_t, offset_type));                  \
        record(descriptor, "write", offset, bytes, size);                               \
        if (is_last(descriptor)) {                                                      \
            if (real(descriptor, bytes, size / 2, offset) < 0) abort();                 \
            kill(getpid(), SIGKILL);                                                    \
        }                                                                               \
        return real(descriptor, bytes, size, offset);                                   \
    }

#define TRUNCATE(name, offset_type)                              \
    int name(int descriptor, offset_type length) {               \
        REAL(int, name, (int, offset_type));                     \
        record(descriptor, "truncate", length, NULL, 0);         \
        return real(descriptor, length);                         \
    }

#define ALLOCATE(name, offset_type)                                                  \
    int name(int descriptor, int mode, offset_type offset, offset_type length) {     \
        REAL(int, name, (int, int, offset_type, offset_type));                       \
        record(descriptor, "extend", offset + length, NULL, 0);                      \
        return real(descriptor, mode, offset, length);                               \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
ALLOCATE(fallocate, off_t)
ALLOCATE(fallocate64, off64_t)

ssize_t write(int descriptor, const void *bytes, size_t size) {
    REAL(ssize_t, write, (int, const void *, size_t));
    record(descriptor, "write", lseek64(descriptor, 0, SEEK_CUR), bytes, size);
    return real(descriptor, bytes, size);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, (const char *, const char *));
    if (is_recorded(from)) append("rename", from, to, NULL, 0);
    return real(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    REAL(int, renameat2, (int, const char *, int, const char *, unsigned));
    if (is_recorded(from)) append("rename", from, to, NULL, 0);
    return real(from_folder, from, to_folder, to, flags);
}

int unlink(const char *path) {
    REAL(int, unlink, (const char *));
    if (is_recorded(path)) append("remove", path, "0", NULL, 0);
    return real(path);
}

int remove(const char *path) {
    REAL(int, remove, (const char *));
    if (is_recorded(path)) append("remove", path, "0", NULL, 0);
    return real(path);
}
