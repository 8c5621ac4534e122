// SPDX-License-Identifier: GPL-2.0
/*
 * rig-thermal: a thermal zone named and stepped like the processor's zone of a Pi.
 *
 * Its own temperature is the parameter millicelsius; write emul_temp of the zone to heat it (0 gives the own one back).
 * At the critical trip the kernel powers the machine off, as it does on a Pi.
 */
#include <linux/module.h>
#include <linux/thermal.h>
#include <linux/version.h>

static int millicelsius = 45000;
module_param(millicelsius, int, 0644);
MODULE_PARM_DESC(millicelsius, "the zone's temperature as long as none is emulated");

static struct thermal_trip trips[] = {
	{ .type = THERMAL_TRIP_PASSIVE, .temperature = 70000, .hysteresis = 2000 },
	{ .type = THERMAL_TRIP_HOT, .temperature = 80000, .hysteresis = 2000 },
	{ .type = THERMAL_TRIP_CRITICAL, .temperature = 110000, .hysteresis = 2000 },
};
static struct thermal_zone_device *zone;

static int rig_get_temp(struct thermal_zone_device *tz, int *temp)
{
	*temp = READ_ONCE(millicelsius);
	return 0;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static int rig_get_trip_type(struct thermal_zone_device *tz, int trip, enum thermal_trip_type *type)
{
	*type = trips[trip].type;
	return 0;
}

static int rig_get_trip_temp(struct thermal_zone_device *tz, int trip, int *temp)
{
	*temp = trips[trip].temperature;
	return 0;
}

static int rig_get_trip_hyst(struct thermal_zone_device *tz, int trip, int *hyst)
{
	*hyst = trips[trip].hysteresis;
	return 0;
}

static int rig_get_crit_temp(struct thermal_zone_device *tz, int *temp)
{
	*temp = trips[ARRAY_SIZE(trips) - 1].temperature;
	return 0;
}
#endif

static struct thermal_zone_device_ops ops = {
	.get_temp = rig_get_temp,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	.get_trip_type = rig_get_trip_type,
	.get_trip_temp = rig_get_trip_temp,
	.get_trip_hyst = rig_get_trip_hyst,
	.get_crit_temp = rig_get_crit_temp,
#endif
};

static int __init rig_thermal_init(void)
{
	int ret;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	zone = thermal_zone_device_register("cpu-thermal", ARRAY_SIZE(trips), 0, NULL, &ops, NULL, 0, 1000);
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
	zone = thermal_zone_device_register_with_trips("cpu-thermal", trips, ARRAY_SIZE(trips), 0, NULL, &ops, NULL,
						       0, 1000);
#else
	zone = thermal_zone_device_register_with_trips("cpu-thermal", trips, ARRAY_SIZE(trips), NULL, &ops, NULL,
						       0, 1000);
#endif
	if (IS_ERR(zone))
		return PTR_ERR(zone);
	ret = thermal_zone_device_enable(zone);
	if (ret)
		thermal_zone_device_unregister(zone);
	return ret;
}
module_init(rig_thermal_init);

static void __exit rig_thermal_exit(void)
{
	thermal_zone_device_unregister(zone);
}
module_exit(rig_thermal_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("virtual rig: the processor's thermal zone");
