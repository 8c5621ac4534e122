import API
// A conformance of another module's public type to another's public protocol is public.
public import ArgumentParser
import Console
import Devices
public import Logging

// The closed sets of words that options and arguments take.

extension BracketMerge: ExpressibleByArgument {}

extension DoctorPart: ExpressibleByArgument {}

extension FlashMode: ExpressibleByArgument {}

extension Gesture: ExpressibleByArgument {}

extension IndicatorRole: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}

extension PressReport.Outcome: ExpressibleByArgument {}

extension QualityPrioritization: ExpressibleByArgument {}

extension SpoolItemFilter.State: ExpressibleByArgument {}

extension TestGuide.Sight: ExpressibleByArgument {}

extension ThrottleFlag: ExpressibleByArgument {}
