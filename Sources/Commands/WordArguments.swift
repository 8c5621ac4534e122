import ArgumentParser
import Devices

// The closed sets of words that options and arguments take.

extension BracketMerge: ExpressibleByArgument {}

extension FlashMode: ExpressibleByArgument {}

extension Gesture: ExpressibleByArgument {}

extension QualityPrioritization: ExpressibleByArgument {}

extension ThrottleFlag: ExpressibleByArgument {}
