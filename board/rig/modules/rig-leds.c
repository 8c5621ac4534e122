// SPDX-License-Identifier: GPL-2.0
/*
 * rig-leds: class LEDs on GPIO lines, as the device tree of a Pi would declare them with compatible = "gpio-leds".
 *
 * insmod rig-leds.ko chip=pinctrl-bcm2835 lines=23,24 names=rig:green:ready,rig:red:fault
 *
 * The chip is named by its label. Each level can be read back in gpio-sim's sim_gpioN/value.
 */
#include <linux/gpio/machine.h>
#include <linux/leds.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#define RIG_LEDS_MAX 8

static char *chip = "pinctrl-bcm2835";
module_param(chip, charp, 0444);
MODULE_PARM_DESC(chip, "label of the GPIO chip");

static unsigned int lines[RIG_LEDS_MAX];
static int line_count;
module_param_array(lines, uint, &line_count, 0444);
MODULE_PARM_DESC(lines, "offset of each LED's line");

static char *names[RIG_LEDS_MAX];
static int name_count;
module_param_array(names, charp, &name_count, 0444);
MODULE_PARM_DESC(names, "name of each LED, device:color:function");

static struct gpio_led leds[RIG_LEDS_MAX];
static struct gpiod_lookup_table *table;
static struct platform_device *device;

static int __init rig_leds_init(void)
{
	struct gpio_led_platform_data data = { .leds = leds };
	int i;

	if (!line_count || line_count != name_count) {
		pr_err("rig-leds: %d lines and %d names; give one name for each line\n", line_count, name_count);
		return -EINVAL;
	}
	table = kzalloc(struct_size(table, table, line_count + 1), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	table->dev_id = "leds-gpio";
	for (i = 0; i < line_count; i++) {
		table->table[i] = GPIO_LOOKUP_IDX(chip, lines[i], NULL, i, GPIO_ACTIVE_HIGH);
		leds[i].name = names[i];
	}
	data.num_leds = line_count;

	gpiod_add_lookup_table(table);
	device = platform_device_register_data(NULL, "leds-gpio", PLATFORM_DEVID_NONE, &data, sizeof(data));
	if (IS_ERR(device)) {
		gpiod_remove_lookup_table(table);
		kfree(table);
		return PTR_ERR(device);
	}
	return 0;
}
module_init(rig_leds_init);

static void __exit rig_leds_exit(void)
{
	platform_device_unregister(device);
	gpiod_remove_lookup_table(table);
	kfree(table);
}
module_exit(rig_leds_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("virtual rig: class LEDs on GPIO lines");
