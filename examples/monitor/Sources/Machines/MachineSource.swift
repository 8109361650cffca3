/// Where a machine's figures come from.
///
/// ```swift
/// let source: any MachineSource = .live
/// let now = source.sample()
/// ```
protocol MachineSource: AnyObject {
  /// The units in which the figures count.
  var units: MachineUnits { get }
  /// How many samples there are; nil when they don't end.
  var sampleCount: Int? { get }
  /// Takes a sample. After the last recorded one it is the last that is given again.
  func sample() -> Sample
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
