/// The kernel's reports of what happens in folders: the only client of inotify.
///
/// It watches folders, never files: an editor that writes a new file and renames it over the old
/// one would leave a watched file behind.
final class Inotify {
  /// Called on the loop's thread with what happened since the last call, in its order.
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

  /// Reports nothing any more.
  func stop() {
    watch?.cancel()
    watch = nil
  }

  /// What became of the wish to watch a folder.
  enum Watch {
    /// With the number that its reports have, the same one for a folder that is watched already.
    case number(Int32)
    /// Nothing of that name, or no folder.
    case missing
    case forbidden
    case failed(SystemError)
  }

  /// Asks for reports of a folder.
  ///
  /// - Parameter events: `IN_CREATE` and its like, joined.
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

  /// One of the kernel's records: `inotify_event` and the name behind it.
  struct Report {
    /// The number of the folder's watch.
    let watch: Int32
    /// Of what it happened to, within the folder.
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

    /// More happened than the kernel keeps; nobody knows what.
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
