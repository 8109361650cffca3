extension Runtime {
  /// Limits on an app's use of single resources, beside its interpreter's memory and time.
  ///
  /// ```swift
  /// var configuration = Runtime.Configuration(memory: .megabytes(64), turn: .seconds(1))
  /// configuration.limits.timers = 1000
  /// ```
  ///
  /// An operation that exceeds a limit fails with an error of code `limit` that names the limit,
  /// and changes nothing. `tidelock run --limit timers=1000` sets limits from the command line.
  public struct Limits: Sendable, Equatable {
    /// The most elements that one change may add to a list, or that a copied table may have.
    public var rows = 2_000_000
    /// The most timers that wait at the same time.
    public var timers = 100_000
    /// The most lines that scripts may log in a second. Further lines are dropped, and their number
    /// is logged.
    public var logLines = 1000
    /// How deeply computed values of script functions may nest when they are first read where they
    /// cannot be suspended, such as in a comparison. The stack allows at most `deepest`.
    public var depth = deepest
    /// The longest text that a property accepts, in bytes.
    public var value = 64 << 20

    /// The most bytes that scripts may print in a second.
    public var printed = 64 << 20

    /// The most bytes that the app's settings files may take together.
    public var settings = 4 << 20

    /// The most that `depth` can be.
    public static let deepest = 60

    /// Creates the default limits.
    public init() {}
  }
}

extension Runtime.Limits {
  /// The names of the limits in messages and on the command line.
  package static let names: [String] = [
    "rows", "timers", "logLines", "depth", "value", "printed", "settings",
  ]

  /// Sets a limit by its name. Returns false for an unknown name.
  package mutating func set(_ name: String, to number: Int) -> Bool {
    switch name {
    case "rows": rows = number
    case "timers": timers = number
    case "logLines": logLines = number
    case "depth": depth = min(number, Self.deepest)
    case "value": value = number
    case "printed": printed = number
    case "settings": settings = number
    default: return false
    }
    return true
  }
}

/// An amount of memory.
///
/// ```swift
/// let configuration = Runtime.Configuration(memory: .megabytes(64))
/// ```
public struct MemorySize: Sendable, Equatable, Comparable {
  /// The size in bytes; `Int.max` for ``unlimited``.
  public let bytes: Int

  /// Creates a size in bytes. A runtime requires more than 0.
  public init(bytes: Int) { self.bytes = bytes }

  /// Units of 1024 × 1024 bytes.
  public static func megabytes(_ count: Int) -> MemorySize {
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: 1 << 20)
    if isTooLarge { return MemorySize(bytes: count < 0 ? -1 : .max) }
    return MemorySize(bytes: bytes)
  }

  /// No limit.
  public static let unlimited = MemorySize(bytes: .max)

  /// Orders by bytes; ``unlimited`` is above every other size.
  public static func < (left: MemorySize, right: MemorySize) -> Bool { left.bytes < right.bytes }

  /// The size in the interpreter's terms: 0 for no limit, -1 for 0 bytes or less.
  package var limit: Int { self == .unlimited ? 0 : bytes > 0 ? bytes : -1 }
}
