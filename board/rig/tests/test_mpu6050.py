# SPDX-License-Identifier: Apache-2.0
"""The accelerometer of the parts list, with its real driver: interrupt wired, not wired, fallen off; driver missing.

The driver always has a trigger of its own and makes it the current one, whatever is wired.
"""

from mpu6050 import MPU6050
from quietcase import QuietCase, quiet_configuration
from rigcase import MODULES, ORIENTATION, figure

OWN_TRIGGER = "  device: mpu6050\n"
POLLED = OWN_TRIGGER + "  trigger: none\n"
IS_SILENT = "gives no samples by its own trigger"


class RaspberryPiAccelerometer(QuietCase):
    def setUp(self):
        super().setUp()
        self.hands.accelerometer = MPU6050(MODULES)
        self.addCleanup(self.hands.accelerometer.remove)

    def start_with(self, accelerometer, wired=True, has_driver=True):
        """Plugs the chip in, upside down, and starts the service with some lines for the accelerometer."""
        sensor = self.hands.accelerometer
        if has_driver:
            sensor.load_driver()
        sensor.plug(wired)
        sensor.place("upside-down")
        text = quiet_configuration()
        changed = text.replace("  device: lis3dh\n  trigger: rigtrig\n", accelerometer)
        self.assertNotEqual(changed, text)
        return self.start(changed)

    def require_all_places(self, service):
        """The orientation follows the rig all the way round, and the doctor finds the sensor in order."""
        for angle in (90, 180, 270, 0):
            self.place(service, angle)
            self.assertEqual(service.status()["rotation"]["exifOrientation"], ORIENTATION[angle])
        self.assertEqual(service.status()["rotation"]["accelerometer"], "ok")
        self.assertEqual(self.doctor(service)["verdict"], "ok")

    def doctor(self, service):
        """What the doctor says of the accelerometer."""
        return service.get("/v1/doctor?part=accelerometer")["findings"][0]

    def wait_for_polling(self, service):
        """Waits until the service has given the trigger up."""
        service.wait_for("the trigger is given up", lambda: service.log_count(IS_SILENT) == 1, 5)
        service.wait_for("the sensor is polled", lambda: service.status()["rotation"]["accelerometer"] == "ok", 5)
        self.assertFalse(self.hands.accelerometer.is_streaming())

    def test_by_its_own_trigger(self):
        service = self.start_with(OWN_TRIGGER)
        self.require_all_places(service)
        self.assertTrue(self.hands.accelerometer.is_streaming())
        before = self.hands.accelerometer.interrupts()
        self.assertGreater(before, 0)
        self.until("the chip interrupts", lambda: self.hands.accelerometer.interrupts() > before)
        self.assertEqual(service.log_count("accelerometer failed"), 0)

    def test_polled_where_the_interrupt_is_not_wired(self):
        service = self.start_with(OWN_TRIGGER, wired=False)
        self.wait_for_polling(service)
        self.require_all_places(service)
        self.assertEqual(self.hands.accelerometer.interrupts(), 0)
        self.assertEqual(service.log_count("accelerometer failed"), 1)

    def test_polled_after_the_wire_has_fallen_off(self):
        """What has sampled by its trigger is opened once more before it is polled."""
        service = self.start_with(OWN_TRIGGER)
        self.place(service, 90)
        self.hands.accelerometer.wire(False)
        self.wait_for_polling(service)
        self.require_all_places(service)
        self.assertEqual(service.log_count("accelerometer failed"), 2)

    def test_polled_from_the_start(self):
        service = self.start_with(POLLED)
        self.require_all_places(service)
        self.assertFalse(self.hands.accelerometer.is_streaming())
        self.assertEqual(self.hands.accelerometer.interrupts(), 0)
        self.assertEqual(service.log_count("accelerometer failed"), 0)

    def test_without_its_driver(self):
        """The chip is on the bus and the kernel has no driver for it, until that is loaded."""
        service = self.start_with(POLLED, has_driver=False)
        finding = self.doctor(service)
        self.assertEqual((finding["verdict"], finding["code"]), ("warning", "accelerometer"))
        self.assertRegex(finding["seen"], r'no driver for "mpu6050" at \d+-0068 on the I2C bus')
        figure(f"mpu6050: without its driver the doctor says: {finding['seen']}")
        self.hands.accelerometer.load_driver()
        self.require_all_places(service)
