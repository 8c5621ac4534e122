/*
 * Finding lines. libgpiod 1.6 gives up on the first chip that it may not open, and 2.x leaves the search to its users.
 * So this file searches the chips, in the same way for both.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"

int cgpiolines_generation(void) { return CGPIOLINES_GENERATION; }

int cgpiolines_last_error(void) { return errno > 0 ? -errno : -EIO; }

int cgpiolines_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return cgpiolines_last_error();
  return 0;
}

static int is_chip_entry(const struct dirent *entry) { return strncmp(entry->d_name, "gpiochip", 8) == 0; }

/* Returns whether the open chip has the line; stores its offset. */
static bool has_line(struct gpiod_chip *chip, const cgpiolines_address *address, unsigned int *offset) {
  if (!address->name) {
    *offset = address->offset;
    return address->offset < cgpiolines_line_count(chip);
  }
  int found = cgpiolines_offset_of(chip, address->name);
  if (found < 0) return false;
  *offset = (unsigned int)found;
  return true;
}

int cgpiolines_find(
    const cgpiolines_address *address, struct gpiod_chip **chip, unsigned int *offset, const char **step) {
  if (!address->name && !address->chip) {
    *step = "has neither a name nor a chip";
    return -EINVAL;
  }
  struct dirent **entries = NULL;
  int count = scandir("/dev", &entries, is_chip_entry, versionsort);
  if (count < 0) {
    *step = "cannot be looked for in /dev";
    return cgpiolines_last_error();
  }
  /* A given link is followed, such as Raspberry Pi OS's gpiochip4 on a Raspberry Pi 5. */
  char named[PATH_MAX] = "", followed[PATH_MAX] = "";
  if (address->chip) snprintf(named, sizeof(named), "%s%s", address->chip[0] == '/' ? "" : "/dev/", address->chip);
  bool is_path = realpath(named, followed) != NULL;
  int result = -ENOENT;
  *step = count == 0 ? "cannot be found, there is no GPIO chip" : "cannot be found";
  for (int i = 0; i < count && result != 0; i++) {
    char path[sizeof("/dev/") + sizeof(entries[i]->d_name)];
    snprintf(path, sizeof(path), "/dev/%s", entries[i]->d_name);
    struct stat status;
    /* A link is another name of a chip that has its own entry (Raspberry Pi OS makes links for old programs). */
    if (lstat(path, &status) < 0 || !S_ISCHR(status.st_mode)) continue;
    errno = 0;
    struct gpiod_chip *candidate = gpiod_chip_open(path);
    if (!candidate) {
      /*
       * A chip that disappears during the search is no failure. A forbidden one is, unless another chip has the line.
       */
      if (errno == EACCES || errno == EPERM) {
        result = -errno;
        *step = "cannot be looked for, a GPIO chip may not be opened";
      }
      continue;
    }
    bool is_wanted = !address->chip || (is_path && strcmp(followed, path) == 0) ||
                     cgpiolines_chip_is_called(candidate, address->chip);
    if (is_wanted && has_line(candidate, address, offset)) {
      *chip = candidate;
      *step = NULL;
      result = 0;
    } else {
      if (is_wanted && result == -ENOENT) *step = "cannot be found on the chip";
      gpiod_chip_close(candidate);
    }
  }
  for (int i = 0; i < count; i++) free(entries[i]);
  free(entries);
  return result;
}
