/* Records what a process writes below a folder, and what it syncs to the disk. It is preloaded before the C library.

   RECORD_UNDER is the folder, RECORD_TO the file of the records. A record is a line of text, `kind inode offset length path`,
   and `length` bytes. The order is that of the calls. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static int out(void) {
    static int fd = -1;
    if (fd < 0) fd = syscall(SYS_openat, AT_FDCWD, getenv("RECORD_TO"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return fd;
}

static int is_below(const char *path) {
    const char *folder = getenv("RECORD_UNDER");
    return folder && !strncmp(path, folder, strlen(folder));
}

static void put(const char *kind, long inode, long long offset, size_t length, const char *path, const void *bytes) {
    char line[8192];
    int size = snprintf(line, sizeof line, "%s %ld %lld %zu %s\n", kind, inode, offset, length, path);
    syscall(SYS_write, out(), line, size);
    if (length) syscall(SYS_write, out(), bytes, length);
}

static long inode_at(const char *path) {
    struct stat found;
    return stat(path, &found) ? 0 : (long)found.st_ino;
}

/* Returns the path of an open file below the folder, and 0 for any other. */
static int path_of(int fd, char *path, long *inode) {
    char link[64];
    struct stat found;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, 4095);
    if (size <= 0) return 0;
    path[size] = 0;
    if (!is_below(path) || fstat(fd, &found)) return 0;
    *inode = (long)found.st_ino;
    return 1;
}

static long long place_of(int fd) {
    struct stat found;
    if (fcntl(fd, F_GETFL) & O_APPEND) return fstat(fd, &found) ? 0 : (long long)found.st_size;
    return (long long)lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    char path[4096];
    long inode;
    if (!path_of(fd, path, &inode)) return NEXT(write)(fd, bytes, length);
    pthread_mutex_lock(&turn);
    long long place = place_of(fd);
    ssize_t done = NEXT(write)(fd, bytes, length);
    if (done > 0) put("write", inode, place, done, path, bytes);
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t done = 0;
    for (int at = 0; at < count; at++) {
        ssize_t one = write(fd, parts[at].iov_base, parts[at].iov_len);
        if (one < 0) return done ? done : one;
        done += one;
        if ((size_t)one < parts[at].iov_len) break;
    }
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    char path[4096];
    long inode;
    if (!path_of(fd, path, &inode)) return NEXT(pwrite64)(fd, bytes, length, offset);
    pthread_mutex_lock(&turn);
    ssize_t done = NEXT(pwrite64)(fd, bytes, length, offset);
    if (done > 0) put("write", inode, offset, done, path, bytes);
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

int ftruncate64(int fd, off64_t length) {
    char path[4096];
    long inode;
    if (!path_of(fd, path, &inode)) return NEXT(ftruncate64)(fd, length);
    pthread_mutex_lock(&turn);
    int done = NEXT(ftruncate64)(fd, length);
    if (!done) put("cut", inode, length, 0, path, "");
    pthread_mutex_unlock(&turn);
    return done;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

#define SYNC(name)                                                     \
    int name(int fd) {                                                 \
        char path[4096];                                               \
        long inode;                                                    \
        if (!path_of(fd, path, &inode)) return NEXT(name)(fd);         \
        pthread_mutex_lock(&turn);                                     \
        int done = NEXT(name)(fd);                                     \
        if (!done) put("sync", inode, 0, 0, path, "");                 \
        pthread_mutex_unlock(&turn);                                   \
        return done;                                                   \
    }

SYNC(fsync)
SYNC(fdatasync)

#define OPEN(name, call, ...)                                          \
    {                                                                  \
        mode_t mode = 0;                                               \
        if (flags & O_CREAT) {                                         \
            va_list rest;                                              \
            va_start(rest, flags);                                     \
            mode = va_arg(rest, mode_t);                               \
            va_end(rest);                                              \
        }                                                              \
        char full[4096];                                               \
        long inode;                                                    \
        if (!(flags & (O_CREAT | O_TRUNC))) return call(__VA_ARGS__);  \
        pthread_mutex_lock(&turn);                                     \
        struct stat before;                                            \
        int was_there = !stat(path, &before);                          \
        int fd = call(__VA_ARGS__);                                    \
        if (fd >= 0 && path_of(fd, full, &inode)) {                    \
            if (!was_there) put("make", inode, 0, 0, full, "");        \
            if (flags & O_TRUNC) put("cut", inode, 0, 0, full, "");    \
        }                                                              \
        pthread_mutex_unlock(&turn);                                   \
        return fd;                                                     \
    }

int open(const char *path, int flags, ...) OPEN(open, NEXT(open), path, flags, mode)
int open64(const char *path, int flags, ...) OPEN(open64, NEXT(open64), path, flags, mode)
int openat(int folder, const char *path, int flags, ...) OPEN(openat, NEXT(openat), folder, path, flags, mode)
int openat64(int folder, const char *path, int flags, ...) OPEN(openat64, NEXT(openat64), folder, path, flags, mode)

int mkdir(const char *path, mode_t mode) {
    pthread_mutex_lock(&turn);
    int done = NEXT(mkdir)(path, mode);
    if (!done && is_below(path)) put("folder", inode_at(path), 0, 0, path, "");
    pthread_mutex_unlock(&turn);
    return done;
}

static int moved(int done, const char *from, const char *to) {
    char both[8192];
    if (!done && is_below(from)) {
        snprintf(both, sizeof both, "%s\t%s", from, to);
        put("name", inode_at(to), 0, 0, both, "");
    }
    return done;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&turn);
    int done = moved(NEXT(rename)(from, to), from, to);
    pthread_mutex_unlock(&turn);
    return done;
}

int renameat2(int old, const char *from, int new, const char *to, unsigned int flags) {
    pthread_mutex_lock(&turn);
    int done = moved(NEXT(renameat2)(old, from, new, to, flags), from, to);
    pthread_mutex_unlock(&turn);
    return done;
}

int link(const char *from, const char *to) {
    pthread_mutex_lock(&turn);
    int done = NEXT(link)(from, to);
    if (!done && is_below(to)) put("link", inode_at(to), 0, 0, to, "");
    pthread_mutex_unlock(&turn);
    return done;
}

int unlink(const char *path) {
    pthread_mutex_lock(&turn);
    int done = NEXT(unlink)(path);
    if (!done && is_below(path)) put("remove", 0, 0, 0, path, "");
    pthread_mutex_unlock(&turn);
    return done;
}
