extension Runtime {
  /// Budgets of an app beside its interpreter's memory and time: how much of one thing there may
  /// be.
  ///
  /// ```swift
  /// var configuration = Runtime.Configuration(memory: .megabytes(64), turn: .seconds(1))
  /// configuration.limits.timers = 1000
  /// ```
  ///
  /// What goes beyond one is refused with an error of code `limit` that names it, and leaves
  /// everything as it was. `tidelock run --limit timers=1000` sets them from outside.
  public struct Limits: Sendable, Equatable {
    /// The most elements that one change may give a list, or one table that is copied may have.
    public var rows = 2_000_000
    /// The most timers that wait at a time.
    public var timers = 100_000
    /// The most lines that scripts may log in a second; the rest are dropped, and their number is
    /// logged.
    public var logLines = 1000
    /// How deep computed values that are script functions may nest at their first reading where
    /// they cannot wait for each other, as inside of a comparison. The stack allows `deepest` at
    /// most.
    public var depth = deepest
    /// The longest text that a property takes, in bytes.
    public var value = 64 << 20

    /// The most bytes that scripts may print in a second.
    public var printed = 64 << 20

    /// The most bytes that the app's settings may take on the disk, all their files together.
    public var settings = 4 << 20

    /// The most that `depth` can be.
    public static let deepest = 60

    /// Makes the usual limits.
    public init() {}
  }
}

extension Runtime.Limits {
  /// The names under which messages and the command line know the limits.
  package static let names: [String] = [
    "rows", "timers", "logLines", "depth", "value", "printed", "settings",
  ]

  /// Sets a limit by its name; false where there is none of that name.
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

  /// Makes a size of so many bytes. A runtime cannot be made with 0 or fewer.
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

  /// The size as an interpreter takes it: 0 for no limit, -1 for 0 bytes or fewer.
  package var limit: Int { self == .unlimited ? 0 : bytes > 0 ? bytes : -1 }
}
