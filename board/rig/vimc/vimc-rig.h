/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vimc-rig.h the hands of a test on the virtual camera
 *
 * Copied into drivers/media/test-drivers/vimc/ by board/rig/kernel.
 */
#ifndef _VIMC_RIG_H_
#define _VIMC_RIG_H_

#include <linux/ktime.h>
#include <linux/types.h>
#include <media/videobuf2-core.h>

struct v4l2_pix_format;

/* The stage of the pipeline to begin with for the next frame: -1 for none, the camera is stalled. */
int vimc_rig_first_stage(int stages);

/* Waits until the next frame is due. *next belongs to the caller's thread and starts as 0. */
void vimc_rig_pace(ktime_t *next);

/* The number of the frame that is being exposed now. Frames that find no buffer have one as well. */
u32 vimc_rig_number(void);

/* Fills a buffer with the pattern or, if there is none, with the injected frame; then paints the number. */
void vimc_rig_fill(void *to, const void *pattern, const struct v4l2_pix_format *format, u32 number);

/* Holds a filled buffer back as long as asked, notes the frame and says how to deliver it. */
enum vb2_buffer_state vimc_rig_deliver(u32 number, u64 timestamp);

void vimc_rig_init(void);
void vimc_rig_exit(void);

#endif
