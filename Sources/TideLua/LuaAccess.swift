import CTideLua

/// What scripts may reach outside of the interpreter, one thing at a time; nothing, unless named.
///
/// ```swift
/// var configuration = LuaConfiguration()
/// configuration.access.read = ["data"]
/// configuration.access.environment = ["HOME"]
/// ```
///
/// `io` and the rest of `os` are there in any case, and refuse with a message that says what would
/// allow the call. A path is judged by where it leads, with links below the allowed folders
/// resolved. Outside of these folders nothing is looked at, so no refusal reveals what exists
/// there. Only plain files can be opened, so no script waits for a pipe or reads from a device.
public struct LuaAccess: Sendable, Equatable {
  /// Folders whose files may be read, at any depth.
  public var read: [String] = []
  /// Folders in which files may be made, changed and removed, at any depth; and single files. Reading
  /// them is another matter. A folder does not cover scripts (`*.lua`), folders of specs (`spec`,
  /// `test`, `tests`), and files and folders whose names begin with a dot.
  public var write: [String] = []
  /// Folders in which databases may be made, read and changed, at any depth.
  public var store: [String] = []
  /// The variables that `os.getenv` gives.
  public var environment: [String] = []
  /// Whether `os.execute` and `io.popen` may run programs, which may then do all that the user may.
  /// They end with the turn that waits for them.
  public var run = false
  /// The programs that scripts may start by these names, where ``run`` does not allow all.
  public var programs: [String] = []
  /// The servers that scripts may connect to. With none, no connection is made.
  public var network: [Host] = []
  /// Whether refusals name the flags of the program that runs the scripts, rather than its host.
  package var namesFlags = false

  /// Opens nothing.
  public init() {}
}

extension LuaAccess {
  /// Has another process start programs and make unnamed files for all states, where this one is
  /// confined. `TideAccessBroker` in `CTideLua.h` says what the functions do.
  package static func useBroker(
    run:
      @escaping @convention(c) (
        UnsafePointer<CChar>, CChar, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
      ) -> Int32,
    scratch: @escaping @convention(c) () -> Int32,
    environment:
      @escaping @convention(c) (
        UnsafePointer<UnsafePointer<CChar>?>?
      ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) {
    tide_access_set_broker(
      TideAccessBroker(run: run, scratch: scratch, environment: environment))
  }
}

extension LuaState {
  func allow(_ access: LuaAccess) throws(LuaError) {
    if access.namesFlags { tide_access_name_flags(raw) }
    for folder in access.read { try allow(TIDE_ALLOW_READ, folder) }
    // The first is where temporary files go, and the shim has the latest first.
    for folder in access.write { try allow(TIDE_ALLOW_WRITE, folder) }
    for folder in access.store { try allow(TIDE_ALLOW_STORE, folder) }
    for name in access.environment { try allow(TIDE_ALLOW_ENVIRONMENT, name) }
    if access.run { try allow(TIDE_ALLOW_RUN, "") }
  }

  private func allow(_ kind: Int, _ name: String) throws(LuaError) {
    let failure = tide_access_allow(raw, UInt32(kind), name)
    guard failure != 0 else { return }
    if failure == ENOMEM { throw .memory }
    throw LuaError(
      .runtime,
      "scripts cannot be allowed the path \(name): \(String(cString: strerror(failure)))"
    )
  }

  /// The outcome of opening a file that a script asks the host to read.
  package enum Opening {
    /// A descriptor, which the caller closes.
    case file(Int32)
    /// The script may not read it, whether or not it exists.
    case refused
    /// The system's error number.
    case failed(Int32)
  }

  /// Opens a file for reading that lies below a folder, or where scripts may read.
  package func open(_ path: String, below folder: String) -> Opening {
    var file: Int32 = -1
    // The system would take what comes before the zero for the path.
    if path.utf8.contains(0) { return .failed(ENOENT) }
    switch tide_access_open(raw, path, folder, &file) {
    case 0: return .file(file)
    case Int32(TIDE_ACCESS_REFUSED): return .refused
    case let failure: return .failed(failure)
    }
  }

  /// Whether what is in an open folder may get another name: not where that brings scripts, specs,
  /// or files with a dot to another place.
  package static func admitsMove(_ folder: Int32, _ name: String, to newName: String) -> Bool {
    tide_access_admits_move(folder, name, newName)
  }

  /// What a script does to a file: reads it, or changes it.
  package struct FileUse: OptionSet {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let reading = FileUse(rawValue: UInt32(TIDE_ALLOW_READ))
    package static let writing = FileUse(rawValue: UInt32(TIDE_ALLOW_WRITE))
    package static let storing = FileUse(rawValue: UInt32(TIDE_ALLOW_STORE))
  }

  /// Where a script's path leads.
  package enum Place {
    /// A descriptor of the folder, which the caller closes, and the name in there.
    case found(folder: Int32, name: String)
    /// What says that the script may not, and what would allow it.
    case refused(String)
    /// The system's error number.
    case failed(Int32)
  }

  /// Finds where a script's path leads, as far as the script may go.
  package func locate(_ path: String, for use: FileUse, followsLink: Bool = true) -> Place {
    // The system would take what comes before the zero for the path.
    if path.utf8.contains(0) { return .failed(ENOENT) }
    return withUnsafeTemporaryAllocation(of: TideAccessPlace.self, capacity: 1) { room in
      guard let place = room.baseAddress else { return .failed(ENOMEM) }
      let failure = tide_access_locate(raw, path, use.rawValue, followsLink, place)
      switch failure {
      case 0:
        return .found(
          folder: place.pointee.folder, name: String(cString: tide_access_name(place)))
      case Int32(TIDE_ACCESS_REFUSED):
        return .refused(String(cString: tide_access_refusal(place)))
      default: return .failed(failure)
      }
    }
  }
}
