// SPDX-License-Identifier: GPL-2.0
/*
 * rig-camera: a second camera of the kind that the kernel has built in.
 *
 * insmod rig-camera.ko
 *
 * It is the platform device vimc.1; the first is vimc.0, and the driver's unbind and bind unplug and plug either of
 * them. Both see the same scene and have the same faults. rmmod takes it away for good.
 */
#include <linux/module.h>
#include <linux/platform_device.h>

static struct platform_device *camera;

static int __init rig_camera_init(void)
{
	camera = platform_device_register_simple("vimc", 1, NULL, 0);
	return PTR_ERR_OR_ZERO(camera);
}
module_init(rig_camera_init);

static void __exit rig_camera_exit(void)
{
	platform_device_unregister(camera);
}
module_exit(rig_camera_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("virtual rig: a second camera");
