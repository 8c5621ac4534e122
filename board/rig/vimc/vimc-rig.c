// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vimc-rig.c the hands of a test on the virtual camera
 *
 * debugfs vimc-rig/
 *   frame        write one frame in the negotiated pixel format; it takes effect as a whole when the file is closed
 *   source       0 the driver's test pattern, 1 the frame that was written (black as long as there is none)
 *   numbered     1 paints the frame's number into its top left corner
 *   fault        0 none, 1 stall: no frame is exposed, 2 error: buffers come back marked as erroneous
 *   interval_ms  time from frame to frame, kept without drift; 0 the driver's own pace
 *   delay_ms     time from the frame's timestamp to its delivery, at most the interval if the pace is to be kept
 *   counter      number of the last frame; each frame has one, also a frame for which no buffer was queued
 *   frames       the last 256 delivered frames, oldest first: "number timestamp_ns ok|error"
 *
 * The number is a row of 36 blocks of 16x16 pixels from the corner on: white, black, 32 bits (white is one, most
 * significant first), black, white. Narrower frames stay without.
 */

#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "vimc-common.h"
#include "vimc-rig.h"

#define RIG_FRAME_MAX	(VIMC_FRAME_MAX_WIDTH * VIMC_FRAME_MAX_HEIGHT * 4)
#define RIG_BLOCK	16
#define RIG_BLOCKS	36
#define RIG_NOTES	256

enum { SOURCE_PATTERN, SOURCE_INJECTED };
enum { FAULT_NONE, FAULT_STALL, FAULT_ERROR };

/* A frame as it is written. Only the file that writes it knows it until the file is closed. */
struct rig_frame {
	u8 *bytes;
	size_t length;
	size_t room;
	bool broken;
};

struct rig_note {
	u64 timestamp;
	u32 number;
	bool error;
};

static struct dentry *rig_dir;
static u32 rig_source, rig_numbered, rig_fault, rig_interval_ms, rig_delay_ms;
static atomic_t rig_counter;

/* Taken by the streaming thread and by writers, both of which may sleep; never inside a spinlock. */
static DEFINE_MUTEX(rig_frame_lock);
static struct rig_frame *rig_frame;

static DEFINE_SPINLOCK(rig_notes_lock);
static struct rig_note rig_notes[RIG_NOTES];
static u64 rig_noted;

static void rig_frame_free(struct rig_frame *frame)
{
	if (frame)
		vfree(frame->bytes);
	kfree(frame);
}

static int rig_frame_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct rig_frame), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static int rig_frame_reserve(struct rig_frame *frame, size_t end)
{
	size_t room = max(end, min_t(size_t, 2 * frame->room, RIG_FRAME_MAX));
	u8 *bytes;

	if (end <= frame->room)
		return 0;
	bytes = vmalloc(room);
	if (!bytes)
		return -ENOMEM;
	if (frame->length)
		memcpy(bytes, frame->bytes, frame->length);
	vfree(frame->bytes);
	frame->bytes = bytes;
	frame->room = room;
	return 0;
}

static ssize_t rig_frame_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct rig_frame *frame = file->private_data;
	int ret = 0;

	if (count > RIG_FRAME_MAX - frame->length)
		ret = -EFBIG;
	else
		ret = rig_frame_reserve(frame, frame->length + count);
	if (!ret && copy_from_user(frame->bytes + frame->length, from, count))
		ret = -EFAULT;
	if (ret) {
		frame->broken = true;
		return ret;
	}
	frame->length += count;
	*pos = frame->length;
	return count;
}

static int rig_frame_release(struct inode *inode, struct file *file)
{
	struct rig_frame *frame = file->private_data;

	if (!frame->broken) {
		mutex_lock(&rig_frame_lock);
		swap(rig_frame, frame);
		mutex_unlock(&rig_frame_lock);
	}
	rig_frame_free(frame);
	return 0;
}

static const struct file_operations rig_frame_fops = {
	.owner = THIS_MODULE,
	.open = rig_frame_open,
	.write = rig_frame_write,
	.release = rig_frame_release,
	.llseek = noop_llseek,
};

static int rig_frames_show(struct seq_file *file, void *unused)
{
	struct rig_note *notes = kmalloc(sizeof(rig_notes), GFP_KERNEL);
	u64 noted, i;

	if (!notes)
		return -ENOMEM;
	spin_lock(&rig_notes_lock);
	memcpy(notes, rig_notes, sizeof(rig_notes));
	noted = rig_noted;
	spin_unlock(&rig_notes_lock);

	for (i = noted > RIG_NOTES ? noted - RIG_NOTES : 0; i < noted; i++) {
		const struct rig_note *note = &notes[i % RIG_NOTES];

		seq_printf(file, "%u %llu %s\n", note->number, note->timestamp, note->error ? "error" : "ok");
	}
	kfree(notes);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rig_frames);

int vimc_rig_first_stage(int stages)
{
	if (READ_ONCE(rig_fault) == FAULT_STALL)
		return -1;
	/* An injected frame needs no sensor, debayer and scaler: the capture node alone is enough. */
	return READ_ONCE(rig_source) == SOURCE_INJECTED ? 0 : stages - 1;
}

static void rig_sleep_until(ktime_t due)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop() || ktime_compare(ktime_get(), due) >= 0)
			break;
		schedule_hrtimeout(&due, HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);
}

void vimc_rig_pace(ktime_t *next)
{
	u32 interval_ms = READ_ONCE(rig_interval_ms);
	ktime_t now = ktime_get();

	if (!interval_ms) {
		*next = 0;
		schedule_timeout_uninterruptible(HZ / 60);
		return;
	}
	*next = ktime_add_ms(*next, interval_ms);
	if (ktime_after(*next, now) && ktime_before(*next, ktime_add_ms(now, interval_ms + 1))) {
		rig_sleep_until(*next);
	} else {
		/* The first frame, a new interval, or too late: begin anew instead of hurrying after. */
		*next = now;
		schedule_timeout_uninterruptible(1);
	}
}

u32 vimc_rig_number(void)
{
	return atomic_inc_return(&rig_counter);
}

static void rig_copy_injected(u8 *to, size_t size)
{
	size_t length;

	mutex_lock(&rig_frame_lock);
	length = rig_frame ? min(rig_frame->length, size) : 0;
	if (length)
		memcpy(to, rig_frame->bytes, length);
	if (rig_frame && rig_frame->length && rig_frame->length != size)
		pr_warn_ratelimited("vimc-rig: the injected frame has %zu bytes, the camera delivers %zu\n",
				    rig_frame->length, size);
	mutex_unlock(&rig_frame_lock);
	memset(to + length, 0, size - length);
}

static void rig_paint_number(u8 *to, const struct v4l2_pix_format *format, u32 number)
{
	const struct vimc_pix_map *map = vimc_pix_map_by_pixelformat(format->pixelformat);
	u64 blocks = 0x800000000ULL | (u64)number << 2 | 1;	/* white, black, number, black, white */
	unsigned int block = RIG_BLOCK * (map ? map->bpp : 1);
	unsigned int i;

	if (format->width < RIG_BLOCK * RIG_BLOCKS || format->height < RIG_BLOCK)
		return;
	for (i = 0; i < RIG_BLOCKS; i++)
		memset(to + i * block, (blocks >> (RIG_BLOCKS - 1 - i)) & 1 ? 0xff : 0, block);
	for (i = 1; i < RIG_BLOCK; i++)
		memcpy(to + i * format->bytesperline, to, RIG_BLOCKS * block);
}

void vimc_rig_fill(void *to, const void *pattern, const struct v4l2_pix_format *format, u32 number)
{
	if (pattern)
		memcpy(to, pattern, format->sizeimage);
	else
		rig_copy_injected(to, format->sizeimage);
	if (READ_ONCE(rig_numbered))
		rig_paint_number(to, format, number);
}

enum vb2_buffer_state vimc_rig_deliver(u32 number, u64 timestamp)
{
	bool error = READ_ONCE(rig_fault) == FAULT_ERROR;
	u32 delay_ms = READ_ONCE(rig_delay_ms);

	if (delay_ms)
		rig_sleep_until(ktime_add_ms(ns_to_ktime(timestamp), delay_ms));

	spin_lock(&rig_notes_lock);
	rig_notes[rig_noted++ % RIG_NOTES] = (struct rig_note){ timestamp, number, error };
	spin_unlock(&rig_notes_lock);
	return error ? VB2_BUF_STATE_ERROR : VB2_BUF_STATE_DONE;
}

void __init vimc_rig_init(void)
{
	rig_dir = debugfs_create_dir("vimc-rig", NULL);
	debugfs_create_file("frame", 0200, rig_dir, NULL, &rig_frame_fops);
	debugfs_create_u32("source", 0600, rig_dir, &rig_source);
	debugfs_create_u32("numbered", 0600, rig_dir, &rig_numbered);
	debugfs_create_u32("fault", 0600, rig_dir, &rig_fault);
	debugfs_create_u32("interval_ms", 0600, rig_dir, &rig_interval_ms);
	debugfs_create_u32("delay_ms", 0600, rig_dir, &rig_delay_ms);
	debugfs_create_atomic_t("counter", 0600, rig_dir, &rig_counter);
	debugfs_create_file("frames", 0400, rig_dir, NULL, &rig_frames_fops);
}

void __exit vimc_rig_exit(void)
{
	debugfs_remove_recursive(rig_dir);
	rig_frame_free(rig_frame);
}
