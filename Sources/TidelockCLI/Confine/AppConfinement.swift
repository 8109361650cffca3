import ArgumentParser
import Logging
import TideBindings
import TideLua
import TideREPL
import TideSystem
import TideTest

/// The kernel confinement of an app: it allows what the app's scripts may access and what the
/// program itself needs.
///
/// Apply it after creating all sockets and before running any script.
final class AppConfinement {
  private let choice: ConfineChoice
  private var confinement = Confinement()
  /// Folders to create before confinement, because the kernel accepts rules only for existing
  /// folders.
  private var wantedFolders: [String] = []
  /// The created folders; they are removed at the end if they are empty.
  private var madeFolders: [String] = []

  /// - Parameters:
  ///   - file: the main script; nil if there is none.
  ///   - access: the scripts' permissions.
  ///   - hasSocket: whether prompts can attach, through a socket that is removed at the end.
  ///   - sharing: the options for shared models.
  ///   - keepsSettings: whether the app's settings are saved.
  init(
    _ choice: ConfineChoice, file: String?, access: LuaAccess, sharing: SharingOptions? = nil,
    hasSocket: Bool = false, keepsSettings: Bool = true
  ) {
    self.choice = choice
    confinement.readable =
      access.read + access.store + ["/proc/self/mountinfo"] + (sharing?.files ?? [])
    confinement.writable = access.write + access.store
    confinement.startsPrograms = access.run
    confinement.programs = access.programs
    confinement.variables = access.environment
    confinement.allowsNetwork = !access.network.isEmpty
    confinement.isClientOnly = true
    confinement.ports = access.onlyPorts.map { $0.sorted() }
    confinement.scratch = access.write.first(where: Self.isFolder).map(SystemPath.absolute)
    if hasSocket { confinement.removable = [RuntimeFolder.standard.path] }
    guard let file else { return }
    // The script may be a symbolic link.
    confinement.readable += [SystemPath.folder(of: file), file]
    confinement.reopened += [SystemPath.folder(of: file), file, "/proc/self/mountinfo"]
    guard let settings = SettingsFolder.path(ofApp: file) else { return }
    if keepsSettings { keepFiles(in: settings) } else { confinement.readable.append(settings) }
  }

  /// Allows a prompt to read and write files in the current folder, and to edit chunks.
  func servePrompt() {
    confinement.readable.append(".")
    confinement.writable.append(".")
    confinement.editor = ChunkFile.editor
  }

  /// Allows a socket created earlier to listen for browsers.
  func serve(_ listener: Int32) { confinement.listeners.append(listener) }

  /// Makes the broker fork workers.
  func startWorkers(_ body: WorkerBody) { confinement.worker = body }

  /// Refuses memory that process limits do not count.
  func holdMemory() { confinement.holdsMemory = true }

  /// Allows giving a picture's new file its name.
  func write(_ picture: PictureFile) {
    if let folder = picture.folderForName { confinement.linkable.append(folder) }
  }

  /// Allows reading and writing files in a folder, which is created if necessary.
  func keepFiles(in folder: String) {
    wantedFolders.append(folder)
    if access(folder, F_OK) != 0 { confinement.emptied.append(folder) }
    confinement.writable.append(folder)
    confinement.readable.append(folder)
    confinement.tidied.append(SystemPath.folder(of: folder))
  }

  /// Starts the broker early, because forking takes longer the more memory this process has.
  func prepare() throws(TideError) {
    if choice == .off, confinement.worker == nil { return }
    do { try confinement.startBrokerEarly() } catch {
      throw TideError(.confinement, error.message)
    }
  }

  /// Applies the confinement. Throws `confinement` if a required part cannot be applied.
  func raise(_ logger: Logger?) throws(TideError) {
    if choice == .off { return }
    madeFolders = wantedFolders.filter(Self.make)
    // Errors of loading the library are reported by the first request, if there is one.
    if confinement.allowsNetwork { try? HTTPClient.prepare() }
    do {
      let report = try confinement.apply(choice == .required ? .required : .bestEffort)
      if !report.isComplete {
        logger?.info("confined in part: \(report); not: \(report.shortfalls)")
      }
    } catch {
      throw TideError(.confinement, error.message)
    }
  }

  /// Removes created folders that were not used.
  func tidy() {
    for folder in madeFolders.reversed() { rmdir(folder) }
    madeFolders = []
  }

  // MARK: Tests

  /// Allows finding and running specs, and writing their reports and snapshots.
  func serveTests(_ options: TestOptions) throws {
    let modules = options.modulePath.split(separator: ";").map { pattern in
      String(pattern.prefix { $0 != "?" })
    }
    let files = [options.helper, options.coverageConfiguration, options.output].compactMap { $0 }
    let paths = ["."] + options.roots + modules.map { $0.isEmpty ? "." : $0 } + files
    confinement.readable += paths
    confinement.reopened += ["."] + options.roots
    if options.measuresCoverage { keepFiles(in: CoverageReport.folder) }
    if let artifacts = options.artifacts { keepFiles(in: artifacts.path) }
    if let report = options.outputArguments.first, options.output == "junit" {
      // Creates the report file, because access can be limited to a single file only if it exists.
      // Non-blocking, because the project may have put a named pipe there.
      let flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let made = open(report, flags, 0o666)
      if made >= 0 { close(made) }
      confinement.writable.append(report)
    }
    guard options.updatesSnapshots else { return }
    let folders = Set(try SuiteRun.find(options).files.map(SnapshotBook.folder(ofSpec:)))
    for folder in folders.sorted() { keepFiles(in: folder) }
  }

  // MARK: Folders

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Creates a folder and its parents. Returns whether the folder did not exist.
  private static func make(_ folder: String) -> Bool {
    if mkdir(folder, 0o700) == 0 { return true }
    guard errno == ENOENT, folder != "/", folder != "." else { return false }
    _ = make(SystemPath.folder(of: folder))
    return mkdir(folder, 0o700) == 0
  }
}

extension TideError.Code {
  /// The kernel cannot confine the process as required.
  static let confinement = Self("confinement", 432)
}

/// The values of `--confine`: whether the kernel confines the process.
enum ConfineChoice: String, CaseIterable, ExpressibleByArgument {
  /// As far as possible.
  case auto
  /// Completely; otherwise no script is run.
  case required
  case off

  static let help = ArgumentHelp(
    "Whether the kernel confines the program to what --allow opens and what it needs itself. With required, nothing is run unless it can do so entirely.",
    valueName: "how")

  static let testHelp = ArgumentHelp(
    "With --sandbox, whether the kernel confines the program to the project and its reports: auto, required or off (default: auto).",
    valueName: "how")
}
