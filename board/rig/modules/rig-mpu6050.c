// SPDX-License-Identifier: GPL-2.0
/*
 * rig-mpu6050: an MPU6050 on an I2C bus of its own, as far as the kernel's driver uses the chip.
 *
 * insmod rig-mpu6050.ko wired=0
 *
 * It does what i2c-stub cannot: samples at the chip's own rate, a FIFO behind one register that reading empties, and an
 * interrupt with each sample. Names and meaning of registers and bits are those of the driver's
 * drivers/iio/imu/inv_mpu6050/inv_mpu_iio.h. Where "wired" is off, the driver has an interrupt all the same, as on a Pi:
 * the overlay "mpu6050" names GPIO 4 whatever is connected to it.
 *
 * INT_STATUS is not here, because the driver never reads it from this chip: up to Linux 6.10 it reads register 0 instead,
 * whose bit 0 is one as well where the chip's factory settings are valid (OTP_BNK_VLD), and since 6.11 none.
 *
 * A write to the readings, which the chip would not take, is the hand that turns it.
 */
#include <linux/hrtimer.h>
#include <linux/i2c.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>

#define ADDRESS 0x68

#define XG_OFFS_TC 0x00
#define SAMPLE_RATE_DIV 0x19
#define FIFO_EN 0x23
#define INT_ENABLE 0x38
#define RAW_ACCEL 0x3b /* then temperature and gyro, 14 bytes in all */
#define USER_CTRL 0x6a
#define PWR_MGMT_1 0x6b
#define PWR_MGMT_2 0x6c
#define FIFO_COUNT_H 0x72
#define FIFO_COUNT_L 0x73
#define FIFO_R_W 0x74
#define WHOAMI 0x75

#define OTP_BNK_VLD BIT(0)
#define DATA_RDY BIT(0)
#define FIFO_RST BIT(2)
#define FIFO_ON BIT(6)
#define H_RESET BIT(7)
#define SLEEP BIT(6)
#define ALL_STBY 0x3f

static bool wired = true;
module_param(wired, bool, 0644);
MODULE_PARM_DESC(wired, "whether the chip's INT reaches the processor");

/* Of each byte of the readings: the bit of FIFO_EN that queues it, and that of PWR_MGMT_2 that stops it. */
static const u8 queued_by[] = { 8, 8, 8, 8, 8, 8, 0x80, 0x80, 0x40, 0x40, 0x20, 0x20, 0x10, 0x10 };
static const u8 stopped_by[] = { 0x20, 0x20, 0x10, 0x10, 8, 8, 0, 0, 4, 4, 2, 2, 1, 1 };

static DEFINE_SPINLOCK(lock); /* for all of the chip; a transfer is never half old, half new */
static u8 registers[256];
static u8 felt[ARRAY_SIZE(queued_by)]; /* becomes the readings with the next sample */
static u8 fifo[1024];
static unsigned int fifo_start, fifo_count;
static u8 address; /* of the next byte on the bus */
static bool is_sampling;
static struct hrtimer timer;
static int irq;
static struct i2c_client *client;

static void switch_on(void)
{
	memset(registers, 0, sizeof(registers));
	registers[XG_OFFS_TC] = OTP_BNK_VLD;
	registers[PWR_MGMT_1] = SLEEP;
	registers[WHOAMI] = 0x68;
	fifo_count = 0;
}

static bool is_awake(void)
{
	return !(registers[PWR_MGMT_1] & SLEEP) && (registers[PWR_MGMT_2] & ALL_STBY) != ALL_STBY;
}

static ktime_t period(void)
{
	return ms_to_ktime(registers[SAMPLE_RATE_DIV] + 1);
}

static void queue(u8 byte)
{
	if (fifo_count == sizeof(fifo)) { /* the oldest makes way */
		fifo_start++;
		fifo_count--;
	}
	fifo[(fifo_start + fifo_count++) % sizeof(fifo)] = byte;
}

static enum hrtimer_restart sample(struct hrtimer *unused)
{
	bool goes_on, interrupts = false;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&lock, flags);
	is_sampling = goes_on = is_awake();
	if (goes_on) {
		for (i = 0; i < ARRAY_SIZE(felt); i++) {
			if (!(registers[PWR_MGMT_2] & stopped_by[i]))
				registers[RAW_ACCEL + i] = felt[i];
			if (registers[USER_CTRL] & FIFO_ON && registers[FIFO_EN] & queued_by[i])
				queue(registers[RAW_ACCEL + i]);
		}
		interrupts = wired && registers[INT_ENABLE] & DATA_RDY;
		hrtimer_forward_now(&timer, period());
	}
	spin_unlock_irqrestore(&lock, flags);
	if (interrupts)
		generic_handle_irq(irq);
	return goes_on ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

static u8 read_register(u8 reg)
{
	u8 value = registers[reg];

	switch (reg) {
	case FIFO_COUNT_H:
		value = fifo_count >> 8;
		break;
	case FIFO_COUNT_L:
		value = fifo_count;
		break;
	case FIFO_R_W:
		if (fifo_count) {
			registers[reg] = value = fifo[fifo_start++ % sizeof(fifo)];
			fifo_count--;
		}
		break;
	}
	return value;
}

static void write_register(u8 reg, u8 value)
{
	if (reg >= RAW_ACCEL && reg < RAW_ACCEL + ARRAY_SIZE(felt)) {
		felt[reg - RAW_ACCEL] = value;
		return;
	}
	if (reg == PWR_MGMT_1 && value & H_RESET) {
		switch_on();
		return;
	}
	if (reg == USER_CTRL && value & FIFO_RST && !(value & FIFO_ON)) {
		value &= ~FIFO_RST;
		fifo_count = 0;
	}
	if (reg == XG_OFFS_TC || reg == WHOAMI)
		return;
	registers[reg] = value;
	if (is_awake() && !is_sampling) {
		is_sampling = true;
		hrtimer_start(&timer, period(), HRTIMER_MODE_REL);
	}
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	unsigned long flags;
	int i, j;

	for (i = 0; i < count; i++) {
		struct i2c_msg *message = &messages[i];

		if (message->addr != ADDRESS)
			return -ENXIO;
		spin_lock_irqsave(&lock, flags);
		for (j = 0; j < message->len; j++) {
			if (message->flags & I2C_M_RD)
				message->buf[j] = read_register(address);
			else if (j == 0)
				address = message->buf[0];
			else
				write_register(address, message->buf[j]);
			/* Only the FIFO's register stays where it is. */
			if (address != FIFO_R_W && (message->flags & I2C_M_RD || j > 0))
				address++;
		}
		spin_unlock_irqrestore(&lock, flags);
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.name = "rig-mpu6050",
	.algo = &algorithm,
};

static int __init rig_mpu6050_init(void)
{
	struct i2c_board_info info = { I2C_BOARD_INFO("mpu6050", ADDRESS) };
	int ret;

	switch_on();
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer.function = sample;
	irq = irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_modify_status(irq, IRQ_NOREQUEST | IRQ_NOAUTOEN, IRQ_NOPROBE);
	info.irq = irq;
	ret = i2c_add_adapter(&adapter);
	if (ret)
		goto free_irq;
	client = i2c_new_client_device(&adapter, &info);
	ret = PTR_ERR_OR_ZERO(client);
	if (ret)
		goto remove_adapter;
	return 0;

remove_adapter:
	i2c_del_adapter(&adapter);
free_irq:
	irq_free_desc(irq);
	return ret;
}
module_init(rig_mpu6050_init);

static void __exit rig_mpu6050_exit(void)
{
	i2c_unregister_device(client);
	i2c_del_adapter(&adapter);
	hrtimer_cancel(&timer);
	irq_free_desc(irq);
}
module_exit(rig_mpu6050_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("virtual rig: an MPU6050 with its FIFO and its interrupt");
