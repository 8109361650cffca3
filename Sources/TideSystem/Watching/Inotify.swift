/// The kernel's events for folders; the only client of inotify.
///
/// It watches folders instead of files: an editor that renames a new file over the old one would
/// leave a watch on the old file.
final class Inotify {
  /// Receives the events since the last call, in order, on the loop's thread.
  var onReports: ([Report]) -> Void = { _ in }

  private let descriptor: Int32
  private var watch: DescriptorWatch?

  init(_ loop: EventLoop) throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw Self.error(errno, limitedBy: .instances) }
    watch = try loop.watch(descriptor: descriptor) { [unowned self] in read() }
  }

  deinit {
    stop()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Stops all events.
  func stop() {
    watch?.cancel()
    watch = nil
  }

  /// The result of watching a folder.
  enum Watch {
    /// The number of the watch in its events; adding a watched folder again returns the same
    /// number.
    case number(Int32)
    /// The folder does not exist, or is not a folder.
    case missing
    case forbidden
    case failed(SystemError)
  }

  /// Watches a folder.
  ///
  /// - Parameter events: a bit mask of `IN_CREATE` and other event types.
  func watch(_ folder: String, for events: Int32) -> Watch {
    let number = inotify_add_watch(descriptor, folder, UInt32(events | Int32(IN_ONLYDIR)))
    if number >= 0 { return .number(number) }
    return switch errno {
    case ENOENT, ENOTDIR: .missing
    case EACCES: .forbidden
    default: .failed(Self.error(errno, limitedBy: .watches))
    }
  }

  func unwatch(_ number: Int32) { inotify_rm_watch(descriptor, number) }

  private func read() {
    var reports: [Report] = []
    while let bytes = readBytes() {
      bytes.withUnsafeBytes { room in
        var rest = room[...]
        while let report = Report(&rest) { reports.append(report) }
      }
    }
    if !reports.isEmpty { onReports(reports) }
  }

  private func readBytes() -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, initialized in
      count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    return count > 0 ? bytes : nil
  }

  /// One event: `inotify_event` and the name that follows it.
  struct Report {
    /// The number of the folder's watch.
    let watch: Int32
    /// The name of the affected file within the folder.
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

    /// The kernel's event queue has overflowed, and events were lost.
    var isOverflow: Bool { has(IN_Q_OVERFLOW) }

    func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(bit) != 0 }
  }

  // MARK: Limits of the kernel

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
