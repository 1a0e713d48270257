/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload (LD_PRELOAD) that sends the process SIGTERM when it initialises MPI.
 */
#include <signal.h>

int PMPI_Init(int *, char ***);
int PMPI_Init_thread(int *, char ***, int, int *);

int MPI_Init(int *argc, char ***argv) {
    raise(SIGTERM);
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    raise(SIGTERM);
    return PMPI_Init_thread(argc, argv, required, provided);
}
