/* libgpiod 2.x (Debian 13, Raspberry Pi OS): version 2 of the kernel's GPIO character device. */
#include "internal.h"

#if CGPIOLINES_GENERATION == 2

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of edges that the kernel keeps for this process; its own default is 16 a line. */
#define KERNEL_BUFFER_EDGES 256

struct cgpiolines_line {
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer; /* NULL for an output */
  unsigned int offset;
};

bool cgpiolines_chip_is_called(struct gpiod_chip *chip, const char *name_or_label) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return false;
  bool is_called = strcmp(gpiod_chip_info_get_name(info), name_or_label) == 0 ||
                   strcmp(gpiod_chip_info_get_label(info), name_or_label) == 0;
  gpiod_chip_info_free(info);
  return is_called;
}

int cgpiolines_offset_of(struct gpiod_chip *chip, const char *line_name) {
  return gpiod_chip_get_line_offset_from_name(chip, line_name);
}

unsigned int cgpiolines_line_count(struct gpiod_chip *chip) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return 0;
  size_t count = gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return (unsigned int)count;
}

/* Requests a line with prepared settings; frees the settings, which may be NULL. */
static struct gpiod_line_request *request_line(
    struct gpiod_chip *chip, unsigned int offset, struct gpiod_line_settings *settings) {
  struct gpiod_line_request *request = NULL;
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  if (!settings || !lines || !config) {
    errno = ENOMEM;
  } else if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0) {
    gpiod_request_config_set_consumer(config, CGPIOLINES_CONSUMER);
    gpiod_request_config_set_event_buffer_size(config, KERNEL_BUFFER_EDGES);
    request = gpiod_chip_request_lines(chip, config, lines);
  }
  /* Freeing must not change the cause. */
  int cause = errno;
  if (config) gpiod_request_config_free(config);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  errno = cause;
  return request;
}

static int open_line(
    const cgpiolines_address *address, struct gpiod_line_settings *settings, bool has_edges,
    cgpiolines_line **line, const char **step) {
  *line = NULL;
  struct gpiod_chip *chip = NULL;
  unsigned int offset = 0;
  int result = cgpiolines_find(address, &chip, &offset, step);
  if (result < 0) {
    if (settings) gpiod_line_settings_free(settings);
    return result;
  }
  *step = "cannot be requested";
  errno = 0;
  struct gpiod_line_request *request = request_line(chip, offset, settings);
  if (!request) result = cgpiolines_last_error();
  /* A request outlives its chip's handle. */
  gpiod_chip_close(chip);
  if (result < 0) return result;

  cgpiolines_line *opened = calloc(1, sizeof(*opened));
  if (!opened) {
    gpiod_line_request_release(request);
    return -ENOMEM;
  }
  opened->request = request;
  opened->offset = offset;
  if (has_edges) {
    *step = "cannot be watched";
    opened->buffer = gpiod_edge_event_buffer_new(CGPIOLINES_BATCH_MAX);
    result = opened->buffer ? cgpiolines_set_nonblocking(gpiod_line_request_get_fd(request)) : -ENOMEM;
    if (result < 0) {
      cgpiolines_close(opened);
      return result;
    }
  }
  *step = NULL;
  *line = opened;
  return 0;
}

static enum gpiod_line_bias bias_of(cgpiolines_bias bias) {
  switch (bias) {
    case CGPIOLINES_BIAS_AS_IS:
      return GPIOD_LINE_BIAS_AS_IS;
    case CGPIOLINES_BIAS_DISABLED:
      return GPIOD_LINE_BIAS_DISABLED;
    case CGPIOLINES_BIAS_PULL_UP:
      return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOLINES_BIAS_PULL_DOWN:
      return GPIOD_LINE_BIAS_PULL_DOWN;
  }
  return GPIOD_LINE_BIAS_AS_IS;
}

int cgpiolines_open_input(
    const cgpiolines_address *address, cgpiolines_bias bias, bool active_low, cgpiolines_line **line,
    const char **step) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings) {
    /* The setters fail only for values outside their enumerations. The clock keeps its default: monotonic. */
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    gpiod_line_settings_set_bias(settings, bias_of(bias));
    gpiod_line_settings_set_active_low(settings, active_low);
  }
  return open_line(address, settings, true, line, step);
}

int cgpiolines_open_output(
    const cgpiolines_address *address, bool active_low, bool value, cgpiolines_line **line, const char **step) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings) {
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_line_settings_set_output_value(settings, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
  }
  return open_line(address, settings, false, line, step);
}

int cgpiolines_event_fd(const cgpiolines_line *line) {
  return line->buffer ? gpiod_line_request_get_fd(line->request) : -EINVAL;
}

int cgpiolines_read_edges(cgpiolines_line *line, cgpiolines_edge *edges, size_t capacity) {
  if (!line->buffer) return -EINVAL;
  if (capacity > CGPIOLINES_BATCH_MAX) capacity = CGPIOLINES_BATCH_MAX;
  errno = 0;
  int count = gpiod_line_request_read_edge_events(line->request, line->buffer, capacity);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : cgpiolines_last_error();
  for (int i = 0; i < count; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)i);
    edges[i] = (cgpiolines_edge){
        .time_ns = (int64_t)gpiod_edge_event_get_timestamp_ns(event),
        .sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event),
        .has_sequence = true,
        .active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
    };
  }
  return count;
}

int cgpiolines_get_value(cgpiolines_line *line) {
  errno = 0;
  switch (gpiod_line_request_get_value(line->request, line->offset)) {
    case GPIOD_LINE_VALUE_ACTIVE:
      return 1;
    case GPIOD_LINE_VALUE_INACTIVE:
      return 0;
    case GPIOD_LINE_VALUE_ERROR:
      break;
  }
  return cgpiolines_last_error();
}

int cgpiolines_set_value(cgpiolines_line *line, bool active) {
  enum gpiod_line_value value = active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  errno = 0;
  return gpiod_line_request_set_value(line->request, line->offset, value) < 0 ? cgpiolines_last_error() : 0;
}

int cgpiolines_look(const cgpiolines_address *address, cgpiolines_info *info, const char **step) {
  struct gpiod_chip *chip = NULL;
  unsigned int offset = 0;
  *info = (cgpiolines_info){.is_used = false};
  int result = cgpiolines_find(address, &chip, &offset, step);
  if (result < 0) return result;
  errno = 0;
  struct gpiod_line_info *line = gpiod_chip_get_line_info(chip, offset);
  if (line) {
    const char *consumer = gpiod_line_info_get_consumer(line);
    info->is_used = gpiod_line_info_is_used(line);
    if (consumer) strncpy(info->consumer, consumer, sizeof(info->consumer) - 1);
    gpiod_line_info_free(line);
  } else {
    *step = "cannot be looked at";
    result = cgpiolines_last_error();
  }
  gpiod_chip_close(chip);
  return result;
}

void cgpiolines_close(cgpiolines_line *line) {
  if (!line) return;
  if (line->buffer) gpiod_edge_event_buffer_free(line->buffer);
  gpiod_line_request_release(line->request);
  free(line);
}

#endif
