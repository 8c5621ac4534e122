/* The declarations that both generations share. Not for users. */
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

/* Returns whether a chip has this name or label. Each generation has its own. */
bool cgpiolines_chip_is_called(struct gpiod_chip *chip, const char *name_or_label);

/* Returns the offset of the line with this name on a chip, or -1. Each generation has its own. */
int cgpiolines_offset_of(struct gpiod_chip *chip, const char *line_name);

/* Returns the number of lines on a chip. Each generation has its own. */
unsigned int cgpiolines_line_count(struct gpiod_chip *chip);

/* Puts a descriptor into non-blocking mode; 0 or a negative errno. */
int cgpiolines_set_nonblocking(int fd);

/* Returns the present errno as a negative number that is never 0. */
int cgpiolines_last_error(void);

#endif
