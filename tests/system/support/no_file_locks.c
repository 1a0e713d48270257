/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload (LD_PRELOAD) that lets every lock by fcntl fail, as Lustre does where it is mounted without
 * "flock".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>

typedef int (*Function)(int, int, ...);

static int is_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK ||
           command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

static int forward(const char *name, int descriptor, int command, void *argument) {
    Function real = NULL;
    *(void **)(&real) = dlsym(RTLD_NEXT, name);
    if (!is_lock(command)) return real(descriptor, command, argument);
    errno = ENOSYS;
    return -1;
}

/* Defines a function that fails for locks or does what the C library's does. */
#define WITHOUT_LOCKS(name)                                    \
    int name(int descriptor, int command, ...) {               \
        va_list rest;                                          \
        va_start(rest, command);                               \
        void *const argument = va_arg(rest, void *);           \
        va_end(rest);                                          \
        return forward(#name, descriptor, command, argument);  \
    }

WITHOUT_LOCKS(fcntl)
WITHOUT_LOCKS(fcntl64)
