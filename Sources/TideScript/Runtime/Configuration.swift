public import Logging
import TideBindings
import TideSystem
public import TideLua

extension Runtime {
  /// The resources that an app may use, and the destinations of its output.
  ///
  /// ```swift
  /// let configuration = Runtime.Configuration(memory: .megabytes(64), turn: .seconds(1))
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"), configuration: configuration)
  /// ```
  public struct Configuration {
    /// Memory, time and access rights of the scripts.
    public var lua = LuaConfiguration()
    /// Limits on the number or size of single resources.
    public var limits = Limits()
    /// The app's `arg`.
    public var arguments: [String] = []
    /// Receives what scripts print, a line at a time. Invalid UTF-8 is repaired.
    public var print: (String) -> Void = { Swift.print($0) }
    /// Receives the raw bytes of what scripts print, instead of `print`. They are valid until it
    /// returns.
    public var printBytes: ((UnsafeRawBufferPointer) -> Void)?
    /// Called with every error with its code, location and path; nil for none.
    public var logger: Logger?
    /// The folder for the files of settings controllers, created when first needed; nil to save
    /// nothing.
    public var settingsFolder: String?
    /// Whether settings controllers write their files. Otherwise settings last until the app ends,
    /// and scripts see no difference.
    public var keepsSettings = true
    /// The engine that keeps `shared` models in sync between runtimes; nil for this runtime alone.
    public var shared: (any SharingEngine)?
    /// Opens databases for scripts; nil if there are none.
    package var stores: (any StoreOpener)?
    /// A virtual clock, moved only by the host, for tests; nil for the system's clock.
    public var clock: VirtualClock?

    /// The locale of numbers, dates and plurals, such as `"de"` or `"en-GB"`. Nil for that of the
    /// environment (`LC_ALL`, else `LC_NUMERIC`, else `LANG`), or `"en"` with a virtual clock.
    /// Scripts may set another one with `app.locale`.
    public var locale: String?

    /// Throws if scripts may not share models although the host provides an engine.
    package var admitsSharing: ((Runtime) throws -> Void)?
    /// Whether stubs replace files, programs and servers, as in specs.
    package var takesStubs = false
    /// The descriptor of scripts' standard input; nil for none.
    package var standardInput: Int32?
    /// Hints for modules that are not installed, by the first part of their names.
    package var moduleHints: [String: String] = [:]

    /// Creates a configuration with limits and default values for everything else.
    ///
    /// - Parameters:
    ///   - memory: the most memory that the interpreter and everything that scripts make may take.
    ///   - turn: how long a script may run before it is stopped; nil for no limit.
    public init(memory: MemorySize = .megabytes(256), turn: Duration? = .seconds(5)) {
      lua.memory = memory.limit
      lua.turn = turn
    }

    /// The app's locale at the start.
    var initialLocale: String {
      if let locale { return FormatLocale.identifier(of: locale) }
      if clock != nil { return FormatLocale.english.identifier }
      for name in ["LC_ALL", "LC_NUMERIC", "LANG"] {
        guard let value = getenv(name), value.pointee != 0 else { continue }
        let identifier = FormatLocale.identifier(of: String(cString: value))
        return FormatLocale.named(identifier) == nil ? FormatLocale.english.identifier : identifier
      }
      return FormatLocale.english.identifier
    }

    /// Memory that suffices for an interpreter, its API and a small script.
    package static let leastMemory = 1 << 20

    /// Throws if the memory is 0 bytes or less. A quota that was computed wrongly must not become
    /// "no limit".
    func checkMemory() throws(TideError) {
      guard lua.memory < 0 else { return }
      throw TideError(
        .limit,
        "scripts cannot work with 0 bytes of memory or fewer; give them "
          + "\(Self.leastMemory >> 20) MiB or more, or say .unlimited")
    }

    /// The error for a runtime that could not be created for lack of memory.
    var lackOfMemory: TideError {
      if lua.memory == 0 || lua.memory >= Self.leastMemory {
        return TideError(
          .limit,
          "the system refuses memory for another interpreter; raise the limit of address space "
            + "(ulimit -v), or vm.max_map_count where thousands live side by side")
      }
      return TideError(
        .scriptMemory,
        "scripts may take \(lua.memory) bytes of memory, which the interpreter alone needs; "
          + "give them \(Self.leastMemory >> 20) MiB or more")
    }

    func log(_ error: TideError) {
      guard let logger else { return }
      var metadata: Logger.Metadata = ["code": "\(error.code.label)"]
      if let location = error.location { metadata["location"] = "\(location)" }
      if let path = error.path { metadata["path"] = "\(path)" }
      logger.error("\(error.message)", metadata: metadata)
    }
  }
}
