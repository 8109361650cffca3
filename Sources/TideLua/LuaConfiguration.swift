import CTideLua

/// What scripts may use and reach.
///
/// ```swift
/// var configuration = LuaConfiguration()
/// configuration.memory = 32 << 20
/// configuration.turn = .seconds(1)
/// let state = try LuaState(configuration)
/// ```
public struct LuaConfiguration: Sendable {
  /// Bytes that the interpreter may hold, together with what its scripts make the host hold; 0 for
  /// no limit. A refused allocation is an ordinary Lua error.
  public var memory: Int = 256 << 20
  /// How long one turn (an outermost call from Swift) may take before it is stopped; nil for no
  /// limit. A turn may overrun by some 10 ms.
  public var turn: Duration? = .seconds(5)
  /// The longest text that one call of a library function may build.
  public var textBytes: Int = 64 << 20
  /// The longest text that a script's `load` takes.
  public var sourceBytes: Int = 1 << 20
  /// The longest text that a property takes from a script; 0 for no limit.
  package var valueBytes: Int = 64 << 20
  /// How many bytes scripts may print within a second; what goes beyond that is an error where it is
  /// printed. 0 for no limit.
  public var printedBytes: Int = 64 << 20
  /// What scripts may reach outside: files, variables, programs, each within bounds.
  public var access = LuaAccess()
  /// Whole libraries as Lua has them, for hosts that trust their scripts. `io` and `os` here go
  /// without the bounds of `access`, and calls of theirs that wait are not stopped with the turn.
  public var capabilities: Capabilities = []
  /// Stops turns by counting steps instead of by a signal, for hosts where signals are
  /// unwelcome; ordinary code then runs at about half its speed.
  public var countsSteps = false
  /// Whether the table `json` is there, for the runtime to adapt.
  package var hasJSON = false

  /// The defaults: 256 MiB, five seconds a turn, no capabilities.
  public init() {}

  /// Dangerous parts of the stock library, closed unless named.
  ///
  /// ```swift
  /// var configuration = LuaConfiguration()
  /// configuration.capabilities = [.os, .loading]
  /// ```
  public struct Capabilities: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt32
    /// The capabilities whose bits are set.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// All of the library `io`.
    public static let io = Capabilities(rawValue: UInt32(TIDE_OPEN_IO))
    /// All of the library `os`.
    public static let os = Capabilities(rawValue: UInt32(TIDE_OPEN_OS))
    /// The library `debug`, which can reach into any function and take the sandbox apart.
    public static let debug = Capabilities(rawValue: UInt32(TIDE_OPEN_DEBUG))
    /// The library `package`, and with it native modules.
    public static let package = Capabilities(rawValue: UInt32(TIDE_OPEN_PACKAGE))
    /// `dofile`, `loadfile`, compiled chunks and the whole `collectgarbage`.
    public static let loading = Capabilities(rawValue: UInt32(TIDE_OPEN_LOADING))
    /// Scripts may change the library tables and set finalizers.
    public static let patching = Capabilities(rawValue: UInt32(TIDE_OPEN_PATCHING))
    /// Everything: for scripts that may do what the program may.
    public static let all: Capabilities = [.io, .os, .debug, .package, .loading, .patching]
  }

  var forC: TideConfiguration {
    TideConfiguration(
      memory: UInt64(clamping: memory), turn: turn?.clampedNanoseconds ?? 0,
      textBytes: UInt64(clamping: textBytes), sourceBytes: UInt64(clamping: sourceBytes),
      valueBytes: UInt64(clamping: valueBytes),
      printedBytes: printedBytes < 0 ? 1 : UInt64(printedBytes), open: capabilities.rawValue,
      countsSteps: countsSteps)
  }

  /// Throws for an amount of memory that is none: a quota that was computed wrongly must not mean
  /// that there is no limit.
  func checkMemory() throws(LuaError) {
    guard memory < 0 else { return }
    throw LuaError(
      .memory,
      "scripts cannot work with \(memory) bytes of memory; give them 1 MiB or more, or 0 for no "
        + "limit")
  }
}

extension Duration {
  /// At least 1, because 0 means no limit to the shim.
  package var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 1 << 33 else { return UInt64.max / 4 }
    return max(1, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
  }
}
