/// Where a machine's figures come from.
///
/// ```swift
/// let source: any MachineSource = .live
/// while let sample = source.sample() { … }
/// ```
protocol MachineSource: AnyObject {
  /// The units in which the figures count.
  var units: MachineUnits { get }
  /// Whether time passes by itself, so that the next sample differs from this one only later.
  var isLive: Bool { get }
  /// Takes a sample; nil after the last recorded one.
  func sample() -> Sample?
}

/// What a machine counts time and memory in.
struct MachineUnits: Equatable {
  var ticksPerSecond = 100.0
  var bytesPerPage = 4096
}

extension MachineSource where Self == LiveMachine {
  /// This machine.
  static var live: LiveMachine { LiveMachine() }
}

extension MachineSource where Self == RecordedMachine {
  /// Samples that were taken before. Throws when there are none in the folder.
  static func recorded(in path: String) throws -> RecordedMachine {
    try RecordedMachine(path)
  }
}
