import TideCheck
import TideScript
import TideSystem

/// `tidelock check --watch`: repeats the check whenever a file in one of the folders is saved.
///
/// Only changed files are read again.
final class CheckWatch {
  private let paths: [String]
  private let workspace: EditedWorkspace
  private let format: CheckFormat
  private let style: DiagnosticStyle
  private let reporter: Reporter
  private let loop: EventLoop
  private let folders: FolderChanges
  private var status = ExitStatus.success
  private var isOver = false

  init(
    _ paths: [String], _ check: ScriptCheck, as format: CheckFormat, _ style: DiagnosticStyle,
    _ reporter: Reporter
  ) throws {
    self.paths = paths
    workspace = EditedWorkspace(check)
    self.format = format
    self.style = style
    self.reporter = reporter
    loop = try EventLoop()
    folders = FolderChanges(loop)
  }

  /// Checks until `q` is pressed. Returns the status of the last check.
  func run() -> ExitStatus {
    let keys = TestKeys(loop)
    keys?.onKey = { [unowned self] key in
      switch key {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): checkAgain()
      // Ctrl-D also quits.
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: isOver = true
      default: break
      }
    }
    folders.onChange = { [unowned self] in checkAgain() }
    check()
    withExtendedLifetime(keys) {
      while !isOver { loop.turn() }
    }
    return status
  }

  private func checkAgain() {
    workspace.filesChanged()
    check()
  }

  private func check() {
    do {
      let snapshot = try workspace.snapshot(of: paths)
      let report = CheckReport(files: snapshot.checkedFiles, style: style)
      report.write(as: format)
      status = report.status
      watch(snapshot.readFiles)
    } catch {
      // A missing file may reappear.
      reporter.report(error)
      status = ExitStatus(loading: error)
      watch([])
    }
    let keys = StandardStreams.areTerminal ? "; Enter checks again, q ends" : ""
    if format == .plain { StandardOutput().writeLine("── \(DayTime.now) ── watching\(keys)") }
  }

  private static let mostFolders = 1000

  /// Adds all subfolders of a folder, because a new script may appear in any of them.
  private func addFolders(in folder: String, to wanted: inout Set<String>) {
    for name in ReadableFile.names(in: folder) ?? [] where !name.hasPrefix(".") {
      let path = SystemPath.joined(folder, name)
      var status = stat()
      // Symbolic links are not followed, as in the search for scripts.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        wanted.count < Self.mostFolders
      else { continue }
      wanted.insert(path)
      addFolders(in: path, to: &wanted)
    }
  }

  private func watch(_ files: [String]) {
    var wanted = Set(files.map { SystemPath.folder(of: $0) })
    for path in paths {
      var status = stat()
      let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      wanted.insert(isFolder ? path : SystemPath.folder(of: path))
      if isFolder { addFolders(in: path, to: &wanted) }
    }
    folders.watch(wanted.sorted())
  }
}
