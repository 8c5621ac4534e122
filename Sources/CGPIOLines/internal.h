/* What the two generations share. Not for users. */
#ifndef CGPIOLINES_INTERNAL_H
#define CGPIOLINES_INTERNAL_H

#include <gpiod.h>

#include "CGPIOLines.h"

#define CGPIOLINES_CONSUMER "platen"

/* libgpiod 1.x has fixed-size bulks; 2.x has no bulks at all. */
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIOLINES_GENERATION 1
#else
#define CGPIOLINES_GENERATION 2
#endif

/*
 * Opens the chip that has the line and stores the line's offset.
 * Returns 0 or a negative errno with *step set; the caller closes *chip.
 */
int cgpiolines_find(
    const cgpiolines_address *address, struct gpiod_chip **chip, unsigned int *offset, const char **step);

/* Whether a chip has this name or label. One for each generation. */
bool cgpiolines_chip_is_called(struct gpiod_chip *chip, const char *name_or_label);

/* The offset of the line with this name on a chip, or -1. One for each generation. */
int cgpiolines_offset_of(struct gpiod_chip *chip, const char *line_name);

/* The number of lines on a chip. One for each generation. */
unsigned int cgpiolines_line_count(struct gpiod_chip *chip);

/* Puts a descriptor into non-blocking mode; 0 or a negative errno. */
int cgpiolines_set_nonblocking(int fd);

/* The present errno as a negative number that is never 0. */
int cgpiolines_last_error(void);

#endif
