/*
 * CGPIOLines: single GPIO lines as inputs with edges and as outputs, over libgpiod 1.6 (Debian 12) or 2.x (Debian 13
 * and Raspberry Pi OS). The version is chosen at compile time; the functions mean the same with both.
 *
 * Conventions
 * - Functions that can fail return 0 (or a count) on success and a negative errno on failure.
 * - Values and edges are logical: "active" already takes active-low into account.
 * - A handle is used from one thread at a time. The functions do not call back, log or keep global state.
 */
#ifndef CGPIOLINES_H
#define CGPIOLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/* A line that this process holds. */
typedef struct cgpiolines_line cgpiolines_line;

/* The address of a line. */
typedef struct cgpiolines_address {
  /* The line's name (gpio-line-names of the device tree, for example "SHUTTER"); NULL to use chip and offset. */
  const char *_Nullable name;
  /*
   * The chip's label ("pinctrl-bcm2835"), name ("gpiochip0") or path ("/dev/gpiochip0"). With a name it narrows the
   * search; NULL searches all chips.
   */
  const char *_Nullable chip;
  /* The line's offset on the chip; not used with a name. */
  unsigned int offset;
} cgpiolines_address;

/* The pull of an input that is not driven. */
typedef enum cgpiolines_bias {
  CGPIOLINES_BIAS_AS_IS = 0,
  CGPIOLINES_BIAS_DISABLED = 1,
  CGPIOLINES_BIAS_PULL_UP = 2,
  CGPIOLINES_BIAS_PULL_DOWN = 3,
} cgpiolines_bias;

/* A change of an input. */
typedef struct cgpiolines_edge {
  /* CLOCK_MONOTONIC in nanoseconds, stamped by the kernel's interrupt handler. */
  int64_t time_ns;
  /* The kernel's number of the edge on this line, ascending by 1; only when has_sequence. */
  uint32_t sequence;
  /* False with libgpiod 1.6, whose kernel interface (version 1) does not number edges. */
  bool has_sequence;
  /* True when the line became active. */
  bool active;
} cgpiolines_edge;

/* The maximum number of edges that one call of cgpiolines_read_edges returns. */
#define CGPIOLINES_BATCH_MAX 64

/* Returns the compiled generation of libgpiod's interface: 1 or 2. */
int cgpiolines_generation(void);

/*
 * Requests a line as an input that reports both edges, under the consumer name "platen".
 *
 * The kernel's debouncing is not used, because it would shift the edges' times. The handle is stored in *line. On
 * failure *line is NULL and *step a static clause that names the failure, to be followed by the text of the errno:
 * -ENOENT no such chip or line, -EBUSY another holder has the line, -EACCES or -EPERM a chip may not be opened.
 */
int cgpiolines_open_input(
    const cgpiolines_address *address, cgpiolines_bias bias, bool active_low,
    cgpiolines_line *_Nullable *_Nonnull line, const char *_Nullable *_Nonnull step);

/* Requests a line as an output that starts with a value; otherwise works like cgpiolines_open_input. */
int cgpiolines_open_output(
    const cgpiolines_address *address, bool active_low, bool value,
    cgpiolines_line *_Nullable *_Nonnull line, const char *_Nullable *_Nonnull step);

/* Returns the descriptor that polls readable (POLLIN) while edges wait; owned by the line, -EINVAL for an output. */
int cgpiolines_event_fd(const cgpiolines_line *line);

/*
 * Reads the waiting edges, oldest first, without blocking.
 *
 * Returns the number stored, 0...capacity (capacities above CGPIOLINES_BATCH_MAX count as that), or -ENODEV when the
 * chip is gone. With libgpiod 1.6 the kernel holds 16 edges and then drops new ones. With 2.x it holds 256 and drops
 * the oldest, which shows as a gap in the sequence.
 */
int cgpiolines_read_edges(cgpiolines_line *line, cgpiolines_edge *edges, size_t capacity);

/* Returns the line's value: 1 active, 0 inactive, or a negative errno (-ENODEV when the chip is gone). */
int cgpiolines_get_value(cgpiolines_line *line);

/* Drives an output. */
int cgpiolines_set_value(cgpiolines_line *line, bool active);

/* Releases the line and frees the handle; NULL does nothing. Whether an output keeps its value depends on the chip. */
void cgpiolines_close(cgpiolines_line *_Nullable line);

/* The state of a line, read without taking it. */
typedef struct cgpiolines_info {
  /* True while the line is held by this process, another one or a driver of the kernel. */
  bool is_used;
  /* The name that the holder gave, "" for none; the kernel keeps 31 bytes. */
  char consumer[64];
} cgpiolines_info;

/* Reads a line's state without taking it: 0, or a negative errno with *step as for cgpiolines_open_input. */
int cgpiolines_look(
    const cgpiolines_address *address, cgpiolines_info *info, const char *_Nullable *_Nonnull step);

/*
 * Opens a gate: a descriptor that polls readable while another one does. Close it with close().
 *
 * A gate is for event loops whose descriptors must stay open longer than a line is held (epoll_create1; Swift's Glibc
 * module has no epoll).
 */
int cgpiolines_gate_open(void);

/* Lets a descriptor's readiness through the gate; does nothing when it already does. 0 or a negative errno. */
int cgpiolines_gate_listen(int gate, int fd);

/* Shuts the gate for a descriptor, which may be closed afterwards; does nothing when it is shut. */
void cgpiolines_gate_silence(int gate, int fd);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
