import CTideLua

/// The permissions of scripts outside of the interpreter. Nothing is allowed unless listed.
///
/// ```swift
/// var configuration = LuaConfiguration()
/// configuration.access.read = ["data"]
/// configuration.access.environment = ["HOME"]
/// ```
///
/// `io` and the rest of `os` are always available; calls without permission fail with a message
/// that names the required setting. A path is checked after resolving symbolic links below the
/// allowed folders. The file system outside of these folders is not accessed, so a refusal does not
/// reveal whether a file exists there. Only regular files can be opened, so no script blocks on a
/// pipe or reads from a device.
public struct LuaAccess: Sendable, Equatable {
  /// Readable folders, including subfolders.
  public var read: [String] = []
  /// Folders, including subfolders, and single files, in which scripts may create, change and
  /// remove files. They are not readable by that alone. A folder excludes scripts (`*.lua`),
  /// folders of specs (`spec`, `test`, `tests`), and files and folders whose names begin with a
  /// dot.
  public var write: [String] = []
  /// Folders, including subfolders, in which databases may be created, read and changed.
  public var store: [String] = []
  /// The environment variables that `os.getenv` returns.
  public var environment: [String] = []
  /// Whether `os.execute` and `io.popen` may run programs, which then have all of the user's
  /// permissions. They end with the turn that waits for them.
  public var run = false
  /// The programs that scripts may start by name if ``run`` is false.
  public var programs: [String] = []
  /// The servers that scripts may connect to; none by default.
  public var network: [Host] = []
  /// Whether refusals mention command-line flags instead of the host's settings.
  package var namesFlags = false

  /// Allows nothing.
  public init() {}
}

extension LuaAccess {
  /// Makes a broker process start programs and create unnamed files for all states of a confined
  /// process. See `TideAccessBroker` in `CTideLua.h` for the functions.
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
    // The first folder holds temporary files, and the shim puts the latest folder first.
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

  /// The result of opening a file for a script.
  package enum Opening {
    /// A descriptor, which the caller closes.
    case file(Int32)
    /// The script may not read the file, whether or not it exists.
    case refused
    /// The system's error number.
    case failed(Int32)
  }

  /// Opens a file for reading, inside a folder or inside the folders that scripts may read.
  package func open(_ path: String, below folder: String) -> Opening {
    var file: Int32 = -1
    // The system would truncate the path at a NUL.
    if path.utf8.contains(0) { return .failed(ENOENT) }
    switch tide_access_open(raw, path, folder, &file) {
    case 0: return .file(file)
    case Int32(TIDE_ACCESS_REFUSED): return .refused
    case let failure: return .failed(failure)
    }
  }

  /// Whether a name in an open folder may be changed to another name. It may not if that would move
  /// scripts, specs or dotfiles.
  package static func admitsMove(_ folder: Int32, _ name: String, to newName: String) -> Bool {
    tide_access_admits_move(folder, name, newName)
  }

  /// The kind of access to a file: reading, or changing.
  package struct FileUse: OptionSet {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let reading = FileUse(rawValue: UInt32(TIDE_ALLOW_READ))
    package static let writing = FileUse(rawValue: UInt32(TIDE_ALLOW_WRITE))
    package static let storing = FileUse(rawValue: UInt32(TIDE_ALLOW_STORE))
  }

  /// The resolved location of a script's path.
  package enum Place {
    /// A descriptor of the folder, which the caller closes, and the name in the folder.
    case found(folder: Int32, name: String)
    /// A message that the script has no permission, with a remedy.
    case refused(String)
    /// The system's error number.
    case failed(Int32)
  }

  /// Resolves a script's path within its permissions.
  package func locate(_ path: String, for use: FileUse, followsLink: Bool = true) -> Place {
    // The system would truncate the path at a NUL.
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
