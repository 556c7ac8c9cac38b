// A preloaded library that makes system calls fail for files in the folder FAULTS_FOLDER while the file FAULTS_CONTROL
// names them: "fsync" (EIO), "rename" (EIO) or "write" (ENOSPC). "clock" moves the clock back by a day.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_on(const char *fault) {
  const char *control = getenv("FAULTS_CONTROL");
  if (control == NULL) return 0;
  int saved = errno;
  char text[64] = {0};
  long file = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY);
  if (file >= 0) {
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
  }
  errno = saved;
  return strstr(text, fault) != NULL;
}

static int is_inside(const char *path) {
  const char *folder = getenv("FAULTS_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int fails(int file, const char *fault) {
  if (!is_on(fault)) return 0;
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static int refuse(int code) {
  errno = code;
  return -1;
}

int fsync(int file) { return fails(file, "fsync") ? refuse(EIO) : REAL(fsync)(file); }
int fdatasync(int file) { return fails(file, "fsync") ? refuse(EIO) : REAL(fdatasync)(file); }

int rename(const char *from, const char *to) {
  return is_on("rename") && is_inside(to) ? refuse(EIO) : REAL(rename)(from, to);
}

ssize_t write(int file, const void *bytes, size_t size) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(pwrite64)(file, bytes, size, at);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(writev)(file, parts, count);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(pwritev)(file, parts, count, at);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return fails(file, "write") ? refuse(ENOSPC) : REAL(pwritev64)(file, parts, count, at);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME && is_on("clock")) time->tv_sec -= 86400;
  return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  (void)zone;
  return 0;
}
