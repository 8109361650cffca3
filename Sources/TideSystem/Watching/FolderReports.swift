/// Detects saves by the kernel's events for folders.
///
/// A file is reported when its writer closes it, or when it is renamed into place. A folder or
/// symbolic link on its path is reported when it is created or renamed into place.
final class FolderReports: SaveSource {
  package var onTouch: (Set<String>) -> Void = { _ in }
  package var onFailure: (SystemError) -> Void = { _ in }

  private let inotify: Inotify
  private var files: [String] = []
  /// For each kernel watch, the relevant names and the files that depend on them.
  private var interests: [Int32: [String: Set<String>]] = [:]
  private var folders: [Int32: String] = [:]

  private static let events = Int32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)
  /// The limit of repetitions when the paths change while watches are being added.
  private static let planLimit = 8

  init(_ loop: EventLoop) throws(SystemError) {
    inotify = try Inotify(loop)
    inotify.onReports = { [unowned self] in receive($0) }
  }

  package func watch(_ files: [String]) throws(SystemError) {
    self.files = files
    try renew()
  }

  package func stop() { inotify.stop() }

  /// Watches the folders on the files' current paths.
  private func renew() throws(SystemError) {
    WorkingFolder.renew()
    var plan = WatchPlan(files: files)
    for _ in 0..<Self.planLimit {
      try install(plan)
      // Creations before the folder was watched have not been reported.
      let next = WatchPlan(files: files)
      if next == plan { return }
      plan = next
    }
  }

  private func install(_ plan: WatchPlan) throws(SystemError) {
    interests = [:]
    let former = folders
    folders = [:]
    for (folder, names) in plan.names {
      switch inotify.watch(folder, for: Self.events) {
      case .number(let number):
        interests[number, default: [:]].merge(names) { $0.union($1) }
        folders[number] = folder
      case .missing: continue
      case .forbidden where !plan.homes.contains(folder): continue
      case .forbidden: throw Inotify.error(EACCES, limitedBy: .watches)
      case .failed(let error): throw error
      }
    }
    for number in former.keys where folders[number] == nil { inotify.unwatch(number) }
  }

  // MARK: Reports

  private func receive(_ reports: [Inotify.Report]) {
    var touched: Set<String> = []
    var isWayChanged = false
    for report in reports { note(report, &touched, &isWayChanged) }
    if isWayChanged {
      do {
        try renew()
      } catch {
        onFailure(error)
      }
    }
    if !touched.isEmpty { onTouch(touched) }
  }

  private func note(
    _ report: Inotify.Report, _ touched: inout Set<String>, _ isWayChanged: inout Bool
  ) {
    if report.isOverflow {
      touched.formUnion(files)
      isWayChanged = true
      return
    }
    if report.has(IN_IGNORED) {
      interests[report.watch] = nil
      folders[report.watch] = nil
      isWayChanged = true
      return
    }
    guard let found = interests[report.watch]?[report.name] else { return }
    if report.has(IN_CREATE), !report.has(Int(IN_ISDIR)), !isLink(report) { return }
    if !report.has(IN_CLOSE_WRITE) { isWayChanged = true }
    touched.formUnion(found)
  }

  /// A regular file that was just created is still to be written; a symbolic link is complete.
  private func isLink(_ report: Inotify.Report) -> Bool {
    guard let folder = folders[report.watch] else { return false }
    var status = stat()
    return lstat(folder + "/" + report.name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
