public import Logging
import TideBindings
import TideSystem
public import TideLua

extension Runtime {
  /// What an app may use, and where its words go.
  ///
  /// ```swift
  /// let configuration = Runtime.Configuration(memory: .megabytes(64), turn: .seconds(1))
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"), configuration: configuration)
  /// ```
  public struct Configuration {
    /// Memory, time and reach of the scripts.
    public var lua = LuaConfiguration()
    /// How much of one thing there may be.
    public var limits = Limits()
    /// The app's `arg`.
    public var arguments: [String] = []
    /// Gets what scripts print, a line at a time, repaired where it is not UTF-8.
    public var print: (String) -> Void = { Swift.print($0) }
    /// Gets the bytes of what scripts print as they are, in place of `print`. They are good until
    /// it returns.
    public var printBytes: ((UnsafeRawBufferPointer) -> Void)?
    /// Called with every error with its code, location and path; nil for none.
    public var logger: Logger?
    /// The folder in which settings controllers keep their files, made when there is something to
    /// write; nil to keep nothing beyond the app's end.
    public var settingsFolder: String?
    /// Whether settings controllers write to their files. Without it what they hold ends with the
    /// app, and scripts see no difference.
    public var keepsSettings = true
    /// What keeps models that scripts declare by `shared` the same between runtimes; nil for this
    /// runtime alone.
    public var shared: (any SharingEngine)?
    /// Opens databases for scripts; nil where they have none.
    package var stores: (any StoreOpener)?
    /// One that moves only when the host tells it to, for tests; nil for the system's.
    public var clock: VirtualClock?

    /// The locale that numbers, dates and plurals are written in, such as `"de"` or `"en-GB"`; nil
    /// for that of the environment (`LC_ALL`, else `LC_NUMERIC`, else `LANG`), and `"en"` with a
    /// clock of the host's. Scripts may choose another one by `app.locale`.
    public var locale: String?

    /// Throws where scripts may not share models, although the host has given something to share
    /// with.
    package var admitsSharing: ((Runtime) throws -> Void)?
    /// Whether stubs stand in for files, programs and servers, as in specs.
    package var takesStubs = false
    /// What scripts read as standard input; nil where they have none.
    package var standardInput: Int32?
    /// What to say of modules that are not there, by the first part of their names.
    package var moduleHints: [String: String] = [:]

    /// Makes a configuration with limits; everything else is as it comes.
    ///
    /// - Parameters:
    ///   - memory: what the interpreter and everything that scripts make may take together.
    ///   - turn: how long a script may run before it is stopped; nil for as long as it takes.
    public init(memory: MemorySize = .megabytes(256), turn: Duration? = .seconds(5)) {
      lua.memory = memory.limit
      lua.turn = turn
    }

    /// The locale that an app begins with.
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

    /// Memory that suffices for an interpreter and its API, and leaves a small script some.
    package static let leastMemory = 1 << 20

    /// Throws for 0 bytes of memory or fewer: a quota that was computed wrongly must not mean that
    /// there is no limit.
    func checkMemory() throws(TideError) {
      guard lua.memory < 0 else { return }
      throw TideError(
        .limit,
        "scripts cannot work with 0 bytes of memory or fewer; give them "
          + "\(Self.leastMemory >> 20) MiB or more, or say .unlimited")
    }

    /// The error of a runtime that could not be made.
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
