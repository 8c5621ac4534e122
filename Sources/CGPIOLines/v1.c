/* libgpiod 1.6 (Debian 12): version 1 of the kernel's GPIO character device. */
#include "internal.h"

#if CGPIOLINES_GENERATION == 1

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cgpiolines_line {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
  int event_fd; /* -EINVAL for an output */
};

bool cgpiolines_chip_is_called(struct gpiod_chip *chip, const char *name_or_label) {
  return strcmp(gpiod_chip_name(chip), name_or_label) == 0 || strcmp(gpiod_chip_label(chip), name_or_label) == 0;
}

int cgpiolines_offset_of(struct gpiod_chip *chip, const char *line_name) {
  struct gpiod_line *line = gpiod_chip_find_line(chip, line_name);
  return line ? (int)gpiod_line_offset(line) : -1;
}

unsigned int cgpiolines_line_count(struct gpiod_chip *chip) { return gpiod_chip_num_lines(chip); }

static int flags_of(cgpiolines_bias bias, bool active_low) {
  int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (bias) {
    case CGPIOLINES_BIAS_AS_IS:
      break;
    case CGPIOLINES_BIAS_DISABLED:
      flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
      break;
    case CGPIOLINES_BIAS_PULL_UP:
      flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
      break;
    case CGPIOLINES_BIAS_PULL_DOWN:
      flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
      break;
  }
  return flags;
}

static int open_line(
    const cgpiolines_address *address, int request_type, int flags, int value, cgpiolines_line **line,
    const char **step) {
  *line = NULL;
  unsigned int offset = 0;
  cgpiolines_line *opened = calloc(1, sizeof(*opened));
  if (!opened) {
    *step = "cannot be opened";
    return -ENOMEM;
  }
  opened->event_fd = -EINVAL;
  int result = cgpiolines_find(address, &opened->chip, &offset, step);
  if (result < 0) {
    free(opened);
    return result;
  }
  errno = 0;
  opened->line = gpiod_chip_get_line(opened->chip, offset);
  const struct gpiod_line_request_config config = {
      .consumer = CGPIOLINES_CONSUMER, .request_type = request_type, .flags = flags};
  if (!opened->line || gpiod_line_request(opened->line, &config, value) < 0) {
    *step = "cannot be requested";
    result = cgpiolines_last_error();
  } else if (request_type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES) {
    opened->event_fd = gpiod_line_event_get_fd(opened->line);
    *step = "cannot be watched";
    result = opened->event_fd < 0 ? cgpiolines_last_error() : cgpiolines_set_nonblocking(opened->event_fd);
  }
  if (result < 0) {
    cgpiolines_close(opened);
    return result;
  }
  *step = NULL;
  *line = opened;
  return 0;
}

int cgpiolines_open_input(
    const cgpiolines_address *address, cgpiolines_bias bias, bool active_low, cgpiolines_line **line,
    const char **step) {
  return open_line(address, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, flags_of(bias, active_low), 0, line, step);
}

int cgpiolines_open_output(
    const cgpiolines_address *address, bool active_low, bool value, cgpiolines_line **line, const char **step) {
  int flags = flags_of(CGPIOLINES_BIAS_AS_IS, active_low);
  return open_line(address, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, flags, value ? 1 : 0, line, step);
}

int cgpiolines_event_fd(const cgpiolines_line *line) { return line->event_fd; }

int cgpiolines_read_edges(cgpiolines_line *line, cgpiolines_edge *edges, size_t capacity) {
  if (line->event_fd < 0) return -EINVAL;
  struct gpiod_line_event events[CGPIOLINES_BATCH_MAX];
  if (capacity > CGPIOLINES_BATCH_MAX) capacity = CGPIOLINES_BATCH_MAX;
  errno = 0;
  int count = gpiod_line_event_read_fd_multiple(line->event_fd, events, (unsigned int)capacity);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : cgpiolines_last_error();
  for (int i = 0; i < count; i++) {
    edges[i] = (cgpiolines_edge){
        .time_ns = (int64_t)events[i].ts.tv_sec * 1000000000 + events[i].ts.tv_nsec,
        .active = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
    };
  }
  return count;
}

int cgpiolines_get_value(cgpiolines_line *line) {
  errno = 0;
  int value = gpiod_line_get_value(line->line);
  return value < 0 ? cgpiolines_last_error() : value;
}

int cgpiolines_set_value(cgpiolines_line *line, bool active) {
  errno = 0;
  return gpiod_line_set_value(line->line, active ? 1 : 0) < 0 ? cgpiolines_last_error() : 0;
}

int cgpiolines_look(const cgpiolines_address *address, cgpiolines_info *info, const char **step) {
  struct gpiod_chip *chip = NULL;
  unsigned int offset = 0;
  *info = (cgpiolines_info){.is_used = false};
  int result = cgpiolines_find(address, &chip, &offset, step);
  if (result < 0) return result;
  errno = 0;
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  if (line) {
    const char *consumer = gpiod_line_consumer(line);
    info->is_used = gpiod_line_is_used(line);
    if (consumer) strncpy(info->consumer, consumer, sizeof(info->consumer) - 1);
  } else {
    *step = "cannot be looked at";
    result = cgpiolines_last_error();
  }
  gpiod_chip_close(chip);
  return result;
}

void cgpiolines_close(cgpiolines_line *line) {
  if (!line) return;
  /* Closing the chip releases its lines. */
  if (line->chip) gpiod_chip_close(line->chip);
  free(line);
}

#endif
