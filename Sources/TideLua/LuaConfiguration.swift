import CTideLua

/// The limits and permissions of scripts.
///
/// ```swift
/// var configuration = LuaConfiguration()
/// configuration.memory = 32 << 20
/// configuration.turn = .seconds(1)
/// let state = try LuaState(configuration)
/// ```
public struct LuaConfiguration: Sendable {
  /// The memory limit in bytes for the interpreter and the host objects created by its scripts; 0
  /// for no limit. A failed allocation is an ordinary Lua error.
  public var memory: Int = 256 << 20
  /// The time limit of a turn (an outermost call from Swift); nil for no limit. A turn may exceed
  /// it by about 10 ms.
  public var turn: Duration? = .seconds(5)
  /// The maximum length of a string built by one call of a library function, in bytes.
  public var textBytes: Int = 64 << 20
  /// The maximum length of a chunk for a script's `load`, in bytes.
  public var sourceBytes: Int = 1 << 20
  /// The maximum length of a string that a script may assign to a property, in bytes; 0 for no
  /// limit.
  package var valueBytes: Int = 64 << 20
  /// The number of bytes that scripts may print per second; printing more is an error. 0 for no
  /// limit.
  public var printedBytes: Int = 64 << 20
  /// Permissions for files, environment variables and programs.
  public var access = LuaAccess()
  /// Complete libraries of Lua, for hosts that trust their scripts. Here `io` and `os` ignore the
  /// limits of `access`, and their blocking calls are not stopped with the turn.
  public var capabilities: Capabilities = []
  /// Stops turns by counting VM instructions instead of by a signal, for hosts that avoid signals.
  /// Ordinary code then runs at about half its speed.
  public var countsSteps = false
  /// Whether the table `json` exists, for the runtime to adapt.
  package var hasJSON = false

  /// The defaults: 256 MiB, five seconds per turn, no capabilities.
  public init() {}

  /// Dangerous parts of the standard library, unavailable unless listed.
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
    /// The library `debug`, which can access any function and circumvent the sandbox.
    public static let debug = Capabilities(rawValue: UInt32(TIDE_OPEN_DEBUG))
    /// The library `package`, including native modules.
    public static let package = Capabilities(rawValue: UInt32(TIDE_OPEN_PACKAGE))
    /// `dofile`, `loadfile`, bytecode, and the unrestricted `collectgarbage`.
    public static let loading = Capabilities(rawValue: UInt32(TIDE_OPEN_LOADING))
    /// Modifying library tables and setting finalizers.
    public static let patching = Capabilities(rawValue: UInt32(TIDE_OPEN_PATCHING))
    /// Everything: for scripts with all of the program's permissions.
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

  /// Throws for a negative memory limit: a miscalculated quota must not mean unlimited memory.
  func checkMemory() throws(LuaError) {
    guard memory < 0 else { return }
    throw LuaError(
      .memory,
      "scripts cannot work with \(memory) bytes of memory; give them 1 MiB or more, or 0 for no "
        + "limit")
  }
}

extension Duration {
  /// At least 1, because the shim interprets 0 as no limit.
  package var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 1 << 33 else { return UInt64.max / 4 }
    return max(1, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
  }
}
