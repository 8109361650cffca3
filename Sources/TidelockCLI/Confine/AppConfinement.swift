import Logging
import TideBindings
import TideLua
import TideREPL
import TideSystem
import TideTest

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The wall around an app: what its scripts may reach, and what the program needs for itself.
///
/// Raised once all sockets are there and before the first line of a script runs.
final class AppConfinement {
  private let choice: ConfineChoice
  private var confinement = Confinement()
  /// Made in advance, because a rule is about what is there.
  private var wantedFolders: [String] = []
  /// Those that were missing; gone again at the end if they are empty.
  private var madeFolders: [String] = []

  /// - Parameters:
  ///   - file: the main script; nil where there is none.
  ///   - access: what scripts are allowed.
  ///   - hasSocket: whether prompts can attach, by a socket that is removed at the end.
  init(_ choice: ConfineChoice, file: String?, access: LuaAccess, hasSocket: Bool = false) {
    self.choice = choice
    confinement.readable = access.read + ["/proc/self/mountinfo"]
    confinement.writable = access.write
    confinement.startsPrograms = access.run
    confinement.scratch = access.write.first.map(SystemPath.absolute)
    if hasSocket { confinement.removable = [RuntimeFolder.standard.path] }
    guard let file else { return }
    // The script may be a link to a file elsewhere.
    confinement.readable += [Self.folder(of: file), file]
    confinement.reopened += [Self.folder(of: file), file, "/proc/self/mountinfo"]
    if let settings = SettingsFolder.path(ofApp: file) { keepFiles(in: settings) }
  }

  /// Lets a prompt read and write files in the current folder, and edit chunks.
  func servePrompt() {
    confinement.readable.append(".")
    confinement.writable.append(".")
    confinement.editor = ChunkFile.editor
  }

  /// Lets a picture be put in place.
  func write(_ picture: PictureFile) {
    if let folder = picture.folderForName { confinement.linkable.append(folder) }
  }

  /// Lets files be read and written in a folder that may have to be made first.
  func keepFiles(in folder: String) {
    wantedFolders.append(folder)
    confinement.writable.append(folder)
    confinement.readable.append(folder)
    confinement.tidied.append(Self.folder(of: folder))
  }

  /// Starts the helper process, best before there is much in this one.
  func prepare() throws(TideError) {
    if choice == .off { return }
    do { try confinement.startBrokerEarly() } catch {
      throw TideError(.confinement, error.message)
    }
  }

  /// Puts up the wall. Throws `confinement` where less stands than is required.
  func raise(_ logger: Logger?) throws(TideError) {
    if choice == .off { return }
    madeFolders = wantedFolders.filter(Self.make)
    do {
      let report = try confinement.apply(choice == .required ? .complete : .whatThereIs)
      if !report.isComplete {
        logger?.info("confined in part: \(report); not: \(report.shortfalls)")
      }
    } catch {
      throw TideError(.confinement, error.message)
    }
  }

  /// Takes the folders away that nobody has used.
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
    let places = ["."] + options.roots + modules.map { $0.isEmpty ? "." : $0 } + files
    confinement.readable += places
    confinement.reopened += ["."] + options.roots
    if options.measuresCoverage { keepFiles(in: CoverageReport.folder) }
    if let report = options.outputArguments.first, options.output == "junit" {
      // The report replaces what it holds.
      let made = open(report, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
      if made >= 0 { close(made) }
      confinement.writable.append(report)
    }
    guard options.updatesSnapshots else { return }
    let folders = Set(try SuiteRun.find(options).files.map(SnapshotBook.folder(ofSpec:)))
    for folder in folders.sorted() { keepFiles(in: folder) }
  }

  // MARK: Folders

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes a folder and those above it; whether it was missing.
  private static func make(_ folder: String) -> Bool {
    if mkdir(folder, 0o700) == 0 { return true }
    guard errno == ENOENT, folder != "/", folder != "." else { return false }
    _ = make(Self.folder(of: folder))
    return mkdir(folder, 0o700) == 0
  }
}

extension TideError.Code {
  /// The kernel cannot confine the process as was required.
  static let confinement = Self("confinement", 432)
}

extension ExitStatus {
  /// Something that was required is not to be had: as EX_UNAVAILABLE.
  static let unconfined = ExitStatus(code: 69)
}
