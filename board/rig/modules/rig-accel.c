// SPDX-License-Identifier: GPL-2.0
/*
 * rig-accel: an accelerometer with a mount matrix on an I2C bus, as a device-tree overlay would declare it.
 *
 * insmod rig-accel.ko bus=0 matrix=0,1,0,-1,0,0,0,0,1
 *
 * The driver binds at once, so the emulated chip must already answer WHO_AM_I. rmmod unplugs the sensor.
 */
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/property.h>

static int bus = -1;
module_param(bus, int, 0444);
MODULE_PARM_DESC(bus, "number of the I2C bus");

static char *type = "lis3dh";
module_param(type, charp, 0444);
MODULE_PARM_DESC(type, "the chip's name as its driver knows it");

static ushort addr = 0x18;
module_param(addr, ushort, 0444);
MODULE_PARM_DESC(addr, "the chip's I2C address");

static char *matrix[9];
static int matrix_count;
module_param_array(matrix, charp, &matrix_count, 0444);
MODULE_PARM_DESC(matrix, "mount matrix, row by row, 9 numbers; without it the driver assumes identity");

static struct property_entry properties[2];
static const struct software_node node = { .name = "rig-accel", .properties = properties };
static struct i2c_client *client;

static int __init rig_accel_init(void)
{
	struct i2c_board_info info = { .addr = addr };
	struct i2c_adapter *adapter;

	if (matrix_count && matrix_count != ARRAY_SIZE(matrix)) {
		pr_err("rig-accel: the matrix has %d numbers; give 9\n", matrix_count);
		return -EINVAL;
	}
	adapter = i2c_get_adapter(bus);
	if (!adapter) {
		pr_err("rig-accel: there is no bus i2c-%d\n", bus);
		return -ENODEV;
	}
	strscpy(info.type, type, sizeof(info.type));
	if (matrix_count) {
		properties[0] = PROPERTY_ENTRY_STRING_ARRAY("mount-matrix", matrix);
		info.swnode = &node;
	}
	client = i2c_new_client_device(adapter, &info);
	i2c_put_adapter(adapter);
	return PTR_ERR_OR_ZERO(client);
}
module_init(rig_accel_init);

static void __exit rig_accel_exit(void)
{
	i2c_unregister_device(client);
}
module_exit(rig_accel_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("virtual rig: accelerometer with mount matrix");
