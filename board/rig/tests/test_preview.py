# SPDX-License-Identifier: Apache-2.0
"""The live picture of the rig's camera: each part is the frame that its head names, and how late it comes."""

from rigcase import RigCase, configuration, figure, frame_number_of
from streamparts import parts

# The time from frame to frame, 15 a second, and how many parts are looked at.
INTERVAL, PARTS = 67, 50
# The kernel's list has a frame's timestamp before it is rounded to microseconds.
ROUNDING = 1000


class Preview(RigCase):
    def test_each_part_is_the_frame_that_its_head_names(self):
        """The kernel has painted the number of the frame whose timestamp stands in the head; prints how old a part is at its last byte."""
        self.hands.camera.interval(INTERVAL)
        self.hands.camera.numbered()
        service = self.start(configuration(upload=False).replace("frame_rate: 25", "frame_rate: 15"))
        ages, seen, stamps = {}, [], {}
        with service.stream("/v1/preview/stream?width=1920&height=1080&fps=30") as answer:
            for fields, jpeg, instant in parts(answer):
                stamp = int(fields["x-platen-sensor-time"])
                # The newest frame comes again when no other has come for two seconds.
                if stamp not in ages:
                    ages[stamp] = (instant - stamp) / 1e6
                    seen.append((stamp, jpeg))
                    stamps |= {frame[0]: frame[1] for frame in self.hands.camera.frames()}
                if len(ages) > PARTS:
                    break
        # Looked at after the stream, which waits for its reader.
        for stamp, jpeg in seen:
            number = frame_number_of(jpeg)
            self.assertIn(number, stamps)
            self.assertLess(abs(stamps[number] - stamp), ROUNDING, f"frame {number}")
        self.assertEqual([stamp for stamp, _ in seen], sorted(ages))
        # The first part is made for a viewer who has just come.
        late = sorted(list(ages.values())[1:])
        figure(f"preview: {PARTS} parts of 960x720 at their last byte {late[PARTS // 2]:.0f} ms after their frame in the middle, "
               f"{late[PARTS * 95 // 100]:.0f} ms at the 95th (goal 100 ms)")
        self.assertEqual(service.stop(), 0)
