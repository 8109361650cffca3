/// Notices saves by the kernel's reports of what happens in folders (inotify).
///
/// Folders, never files: an editor that writes a new file and renames it over the old one would
/// leave a watched file behind. A file is reported when who wrote it closes it, or when it is
/// renamed into place; a folder or a link on the way to it when it is made or renamed into place.
final class FolderReports: SaveSource {
  package var onTouch: (Set<String>) -> Void = { _ in }
  package var onFailure: (SystemError) -> Void = { _ in }

  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var files: [String] = []
  /// For each of the kernel's watches, the names that matter and the files they lead to.
  private var interests: [Int32: [String: Set<String>]] = [:]
  private var folders: [Int32: String] = [:]

  private static let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)
  /// How often to look whether the way to the files changed while it was being watched.
  private static let planLimit = 8

  init(_ loop: EventLoop) throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw Self.error(errno, limitedBy: .instances) }
    watch = try loop.watch(descriptor: descriptor) { [unowned self] in read() }
  }

  deinit {
    stop()
    if descriptor >= 0 { close(descriptor) }
  }

  package func watch(_ files: [String]) throws(SystemError) {
    self.files = files
    try renew()
  }

  package func stop() {
    watch?.cancel()
    watch = nil
  }

  /// Watches the folders that lead to the files now.
  private func renew() throws(SystemError) {
    WorkingFolder.renew()
    var plan = WatchPlan(files: files)
    for _ in 0..<Self.planLimit {
      try install(plan)
      // What was made before its folder was watched was not reported.
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
      let number = inotify_add_watch(descriptor, folder, Self.mask)
      if number >= 0 {
        interests[number, default: [:]].merge(names) { $0.union($1) }
        folders[number] = folder
        continue
      }
      switch errno {
      case ENOENT, ENOTDIR: continue
      case EACCES where !plan.homes.contains(folder): continue
      default: throw Self.error(errno, limitedBy: .watches)
      }
    }
    for number in former.keys where folders[number] == nil {
      inotify_rm_watch(descriptor, number)
    }
  }

  // MARK: Reports

  private func read() {
    var touched: Set<String> = []
    var isWayChanged = false
    while let bytes = readBytes() {
      bytes.withUnsafeBytes { room in
        var rest = room[...]
        while let report = Report(&rest) { take(report, &touched, &isWayChanged) }
      }
    }
    if isWayChanged {
      do {
        try renew()
      } catch {
        onFailure(error)
      }
    }
    if !touched.isEmpty { onTouch(touched) }
  }

  private func take(_ report: Report, _ touched: inout Set<String>, _ isWayChanged: inout Bool) {
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

  /// A file that was just made is still to be written; a link is complete.
  private func isLink(_ report: Report) -> Bool {
    guard let folder = folders[report.watch] else { return false }
    var status = stat()
    return lstat(folder + "/" + report.name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private func readBytes() -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, initialized in
      count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    return count > 0 ? bytes : nil
  }

  /// A kernel setting that may be too low.
  struct Limit {
    let name: String
    let errorNumber: Int32
    let better: Int

    static let watches = Limit(
      name: "fs.inotify.max_user_watches", errorNumber: ENOSPC, better: 524_288)
    static let instances = Limit(
      name: "fs.inotify.max_user_instances", errorNumber: EMFILE, better: 1024)
  }

  static func error(_ number: Int32, limitedBy limit: Limit) -> SystemError {
    guard number == limit.errorNumber else {
      return SystemError("folders cannot be watched", number: number)
    }
    return SystemError(
      "folders cannot be watched: the kernel setting \(limit.name) is too low; "
        + "raise it with \"sudo sysctl \(limit.name)=\(limit.better)\"")
  }
}

/// One of the kernel's records: `inotify_event` and the name behind it.
private struct Report {
  let watch: Int32
  let name: String
  private let mask: UInt32

  init?(_ bytes: inout Slice<UnsafeRawBufferPointer>) {
    let headSize = MemoryLayout<inotify_event>.size
    guard bytes.count >= headSize else { return nil }
    let head = UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: inotify_event.self)
    let end = bytes.startIndex + headSize + Int(head.len)
    guard end <= bytes.endIndex else { return nil }
    watch = head.wd
    mask = head.mask
    name = String(
      decoding: bytes[(bytes.startIndex + headSize)..<end].prefix { $0 != 0 }, as: UTF8.self)
    bytes = bytes[end...]
  }

  var isOverflow: Bool { has(IN_Q_OVERFLOW) }

  func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(bit) != 0 }
}
