import ArgumentParser
import Logging
import TideBindings
import TideLua
import TideREPL
import TideSystem
import TideTest

/// The kernel's wall around an app: it leaves open what the app's scripts may reach and what the
/// program itself needs.
///
/// Raise it once all sockets exist and before the first line of a script runs.
final class AppConfinement {
  private let choice: ConfineChoice
  private var confinement = Confinement()
  /// Made before the wall goes up, because the kernel takes rules only for folders that exist.
  private var wantedFolders: [String] = []
  /// Those of them that did not exist before; they are removed at the end if they are empty.
  private var madeFolders: [String] = []

  /// - Parameters:
  ///   - file: the main script; nil where there is none.
  ///   - access: what scripts are allowed.
  ///   - hasSocket: whether prompts can attach, by a socket that is removed at the end.
  ///   - sharing: with whom models are shared.
  ///   - keepsSettings: whether what the app sets is kept.
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
    // The script may be a link to a file elsewhere.
    confinement.readable += [SystemPath.folder(of: file), file]
    confinement.reopened += [SystemPath.folder(of: file), file, "/proc/self/mountinfo"]
    guard let settings = SettingsFolder.path(ofApp: file) else { return }
    if keepsSettings { keepFiles(in: settings) } else { confinement.readable.append(settings) }
  }

  /// Lets a prompt read and write files in the current folder, and edit chunks.
  func servePrompt() {
    confinement.readable.append(".")
    confinement.writable.append(".")
    confinement.editor = ChunkFile.editor
  }

  /// Lets a socket that was made before listen for browsers.
  func serve(_ listener: Int32) { confinement.listeners.append(listener) }

  /// Has the broker fork workers.
  func startWorkers(_ body: WorkerBody) { confinement.worker = body }

  /// Refuses memory beyond the limits of the process.
  func holdMemory() { confinement.holdsMemory = true }

  /// Lets a picture's new file be given its name.
  func write(_ picture: PictureFile) {
    if let folder = picture.folderForName { confinement.linkable.append(folder) }
  }

  /// Lets files be read and written in a folder, which is made if necessary.
  func keepFiles(in folder: String) {
    wantedFolders.append(folder)
    if access(folder, F_OK) != 0 { confinement.emptied.append(folder) }
    confinement.writable.append(folder)
    confinement.readable.append(folder)
    confinement.tidied.append(SystemPath.folder(of: folder))
  }

  /// Starts the broker; early, because forking takes longer the more memory this process has.
  func prepare() throws(TideError) {
    if choice == .off, confinement.worker == nil { return }
    do { try confinement.startBrokerEarly() } catch {
      throw TideError(.confinement, error.message)
    }
  }

  /// Puts up the wall. Throws `confinement` where part of it is required but cannot be put up.
  func raise(_ logger: Logger?) throws(TideError) {
    if choice == .off { return }
    madeFolders = wantedFolders.filter(Self.make)
    // A request says what is wrong with the library, if one is ever made.
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

  /// Removes the folders that were made but not used.
  func tidy() {
    for folder in madeFolders.reversed() { rmdir(folder) }
    madeFolders = []
  }

  // MARK: Tests

  /// Lets specs be found and run, and their reports and snapshots be written.
  func serveTests(_ options: TestOptions) throws {
    let modules = options.modulePath.split(separator: ";").map { pattern in
      String(pattern.prefix { $0 != "?" })
    }
    let files = [options.helper, options.coverageConfiguration, options.output].compactMap { $0 }
    let paths = ["."] + options.roots + modules.map { $0.isEmpty ? "." : $0 } + files
    confinement.readable += paths
    confinement.reopened += ["."] + options.roots
    if options.measuresCoverage { keepFiles(in: CoverageReport.folder) }
    if let report = options.outputArguments.first, options.output == "junit" {
      // Only an existing file can be opened to the report alone, and not its whole folder.
      // Without waiting: the project may have put a named pipe there.
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

  /// Makes a folder and those above it; gives whether it did not exist before.
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
  /// As far as it can.
  case auto
  /// Entirely, or no script is run.
  case required
  case off

  static let help = ArgumentHelp(
    "Whether the kernel confines the program to what --allow opens and what it needs itself. With required, nothing is run unless it can do so entirely.",
    valueName: "how")

  static let testHelp = ArgumentHelp(
    "With --sandbox, whether the kernel confines the program to the project and its reports: auto, required or off (default: auto).",
    valueName: "how")
}
