/*
 * Intercepts a program's calls to the C library (LD_PRELOAD) and makes those that change files in CHAOS_FOLDER fail.
 * After the program has tried to open CHAOS_FOLDER/arm-N, the N-th such call fails once, with EIO. If N is 0, no call fails,
 * and the number of calls since the last arm-N is written to CHAOS_FOLDER.calls.
 * While the file CHAOS_FOLDER.errno exists, every such call fails with the error number that it contains.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;
static atomic_long failing;

static const char *folder(void) { return getenv("CHAOS_FOLDER"); }

static int is_inside(const char *path) {
  const char *wanted = folder();
  return wanted && path && strncmp(path, wanted, strlen(wanted)) == 0 && path[strlen(wanted)] == '/';
}

static int is_open_inside(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}


/* Returns the error number with which every call must fail now, or 0 if there is none. */
static int standing_errno(void) {
  char path[4096], text[16] = "";
  snprintf(path, sizeof path, "%s.errno", folder());
  if (access(path, F_OK) != 0) return 0;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  return atoi(text);
}

/* Counts a call. Returns 1 and sets errno if the call must fail, otherwise returns 0. */
static int fails(void) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  int standing = standing_errno();
  if (standing) { errno = standing; return 1; }
  if (number != atomic_load(&failing)) return 0;
  errno = EIO;
  return 1;
}

static void arm(const char *path) {
  const char *name = strstr(path, "/arm-");
  if (!name) return;
  long number = atol(name + 5);
  if (number == 0) {
    char report[4096];
    snprintf(report, sizeof report, "%s.calls", folder());
    FILE *file = fopen(report, "w");
    if (file) { fprintf(file, "%ld", atomic_load(&calls)); fclose(file); }
  }
  atomic_store(&calls, 0);
  atomic_store(&failing, number == 0 ? -1 : number);
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define ON_FD(result, name, parameters, arguments, ...) \
  result name parameters { \
    REAL(result, #name, __VA_ARGS__); \
    if (is_open_inside(fd) && fails()) return -1; \
    return real arguments; \
  }

ON_FD(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), int, const void *, size_t)
ON_FD(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at), int, const void *, size_t, off_t)
ON_FD(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at), int, const void *, size_t, off64_t)
ON_FD(int, fsync, (int fd), (fd), int)
ON_FD(int, fdatasync, (int fd), (fd), int)
ON_FD(int, ftruncate, (int fd, off_t size), (fd, size), int, off_t)
ON_FD(int, ftruncate64, (int fd, off64_t size), (fd, size), int, off64_t)

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if ((is_inside(from) || is_inside(to)) && fails()) return -1;
  return real(from, to);
}

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (is_inside(path) && fails()) return -1;
  return real(path);
}

static int opens(const char *name, const char *path, int flags, mode_t mode) {
  if (is_inside(path)) {
    arm(path);
    if ((flags & (O_CREAT | O_TRUNC)) && fails()) return -1;
  }
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  return real(path, flags, mode);
}

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return opens(#name, path, flags, mode); \
  }

OPENS(open)
OPENS(open64)
