import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A file that is open for reading. It is closed when its last user releases it: another thread may
/// still read when the stream has ended, and a closed descriptor is reused for the next file.
private final class OpenFile: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

/// Reads the lines of a file into a stream, once or as they are added.
///
///     folder ─ name ─▶ read on another thread ─▶ lines ─▶ list
///                 ▲            │ at the end
///                 └── changed ─┘ (tail: truncated and replaced files begin anew)
final class FileStream: StreamSource {
  private let feed: LineFeed
  private let home: Home
  private let context: BindingContext
  private let path: String
  private let follows: Bool
  /// The number of existing lines to read at first; nil for all.
  private let firstLines: Int?
  private var file: OpenFile?
  private var identity: [UInt64] = []
  private var offset = 0
  /// If only the last lines are to be read first: their number, and the file's size when it was
  /// opened.
  private var beginsAtLast: (lines: Int, size: Int)?
  private var work: LoopWork?
  private var isReading = false
  /// The memory reserved for the slice that is being read, or waited for.
  private var room: MemoryReservation?
  private var isOver = true
  private var isMissing = false
  private var changes: FolderChanges?
  private var beat: LoopTimer?
  private var entry: ContextEntry?
  var isHandedOver = false

  private static let slice = 1 << 18
  /// Seconds between checks of a followed file, for file systems that report no changes.
  private static let interval = 1.0

  init(
    _ feed: LineFeed, _ path: String, follows: Bool, firstLines: Int?, in runtime: Runtime
  ) {
    self.feed = feed
    self.path = path
    self.follows = follows
    self.firstLines = firstLines
    home = runtime.home
    context = runtime.context
  }

  /// - Throws: `notAllowed`, also later if the path then leads elsewhere.
  func begin() throws {
    guard let runtime = home.runtime else { return }
    isOver = false
    feed.begin()
    own()
    do {
      try open(runtime, isFirst: true)
    } catch let error as TideError where error.code == .source {
      guard follows else { return finish(error) }
      missing(error)
    }
    if follows { watch(runtime) }
  }

  private func own() {
    entry = entry ?? context.own { [weak self] in if self?.isHandedOver != true { self?.stop() } }
  }

  func resembles(_ former: any StreamSource) -> Bool {
    guard let former = former as? FileStream else { return false }
    return former.path == path && former.follows == follows
  }

  func takeOver(_ former: any StreamSource) {
    guard let former = former as? FileStream, let runtime = home.runtime else { return }
    own()
    guard !former.isOver else { return }
    (file, identity, offset, isMissing) =
      (former.file, former.identity, former.offset, former.isMissing)
    beginsAtLast = former.beginsAtLast
    // A slice that is being read is read again.
    former.file = nil
    feed.takeRest(of: former.feed)
    former.stop()
    isOver = false
    feed.goOn()
    if follows { watch(runtime) }
    readOn(runtime)
  }

  private func open(_ runtime: Runtime, isFirst: Bool) throws {
    let place = try runtime.place(of: path, for: .reading)
    let opened: OpenFile
    do throws(SystemError) {
      opened = OpenFile(try FileAccess.openToRead(place.name, in: place.folder))
    } catch {
      throw TideError(sourceError: error, path)
    }
    file = opened
    var status = stat()
    fstat(opened.descriptor, &status)
    identity = FileInformation(status).identity
    offset = 0
    if isMissing { home.runWithinBudget { feed.list.note(nil) } }
    isMissing = false
    beginsAtLast = isFirst ? firstLines.map { ($0, Int(status.st_size)) } : nil
    readOn(runtime)
  }

  /// The offset of the last lines of a file.
  private static func start(ofLast count: Int, in file: OpenFile, size: Int) -> Int {
    // Text after the last newline counts as a line too.
    var end = size
    var found = 0
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(0, end - room.count)
      let read = pread(file.descriptor, &room, end - start, off_t(start))
      if read <= 0 { return end }
      for index in stride(from: read - 1, through: 0, by: -1)
      where room[index] == UInt8(ascii: "\n") && start + index != size - 1 {
        found += 1
        if found >= count { return count == 0 ? size : start + index + 1 }
      }
      end = start
      // Nobody shows this much of a file at first.
      if size - end > 64 << 20 { return end }
    }
    return count == 0 ? size : 0
  }

  private func readOn(_ runtime: Runtime) {
    guard !isReading, !isOver, file != nil else { return }
    isReading = true
    let slice = Self.slice(of: runtime.lua.memoryLimit)
    let reservation = MemoryReservation(runtime.memory.account)
    room = reservation
    runtime.memory.reserve(slice, in: reservation) { [weak self] hasRoom in
      // After a restart, the new read has a reservation of its own.
      guard let self, room === reservation else { return }
      read(slice, reservation, hasRoom: hasRoom)
    }
  }

  private func read(_ slice: Int, _ reservation: MemoryReservation, hasRoom: Bool) {
    guard let runtime = home.runtime, !isOver, let file else {
      isReading = false
      return
    }
    guard hasRoom else { return finish(.noRoom(for: "\"\(path.inMessage)\"")) }
    let (offset, last) = (offset, beginsAtLast)
    work = runtime.loop.work({ () -> Slice in
      let start = last.map { Self.start(ofLast: $0.lines, in: file, size: $0.size) } ?? offset
      return Slice(start: start, bytes: Self.read(slice, of: file, from: start))
    }) { [weak self] slice in
      withExtendedLifetime(reservation) { self?.take(slice) }
    }
  }

  /// The size of a slice, limited by the runtime's memory.
  private static func slice(of memory: Int) -> Int {
    memory > 0 ? min(slice, max(1 << 14, memory / 64)) : slice
  }

  private static func read(
    _ slice: Int, of file: OpenFile, from offset: Int
  ) -> Result<[UInt8], SystemError> {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: slice) { room, initialized in
      repeat {
        count = pread(file.descriptor, room.baseAddress, room.count, off_t(offset))
      } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    return count < 0 ? .failure(SystemError("cannot read", number: errno)) : .success(bytes)
  }

  /// Bytes that were read, and their offset.
  private struct Slice: Sendable {
    let start: Int
    let bytes: Result<[UInt8], SystemError>
  }

  private func take(_ slice: Slice) {
    isReading = false
    guard !isOver, let runtime = home.runtime else { return }
    beginsAtLast = nil
    offset = slice.start
    switch slice.bytes {
    case .failure(let error): finish(TideError(sourceError: error, path))
    case .success(let bytes) where bytes.isEmpty:
      if follows { look(runtime) } else { finish() }
    case .success(let bytes):
      offset += bytes.count
      guard bytes.withUnsafeBytes({ feed.receive($0) }) else { return stop() }
      readOn(runtime)
    }
  }

  // MARK: Following

  private func watch(_ runtime: Runtime) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let changes = FolderChanges(runtime.loop, modifications: true)
    changes.onChange = { [weak self] in
      guard let self, let runtime = home.runtime else { return }
      look(runtime)
    }
    changes.watch([folder.isEmpty ? "/" : folder])
    self.changes = changes
    beat = runtime.loop.after(Self.interval, repeating: true) { [weak self] in
      guard let self, let runtime = home.runtime else { return }
      look(runtime)
    }
  }

  /// Reads on if the file has grown or was replaced.
  private func look(_ runtime: Runtime) {
    guard !isOver, !isReading else { return }
    do {
      let place = try runtime.place(of: path, for: .reading)
      let found: FileInformation?
      do throws(SystemError) {
        found = try FileAccess.information(of: place.name, in: place.folder)
      } catch {
        throw TideError(sourceError: error, path)
      }
      guard let found else {
        return missing(TideError(.source, "\"\(path.inMessage)\" is gone; waiting for it"))
      }
      if found.identity != identity || file == nil { return try open(runtime, isFirst: false) }
      if found.size < offset { offset = 0 }
      if found.size > offset { readOn(runtime) }
    } catch let error as TideError where error.code == .source {
      missing(error)
    } catch {
      finish(TideError(script: error))
    }
  }

  /// Waits for a missing file.
  private func missing(_ error: TideError) {
    if isMissing { return }
    isMissing = true
    file = nil
    home.runWithinBudget { feed.list.note(error) }
  }

  // MARK: The end

  private func finish(_ error: TideError? = nil) {
    feed.finish(error)
    stop()
  }

  private func stop() {
    if isOver { return }
    isOver = true
    work?.cancel()
    work = nil
    beat?.cancel()
    changes = nil
    feed.end()
    file = nil
  }

  func cancel() { stop() }

  func refresh() throws {
    stop()
    isReading = false
    try feed.list.restart()
    try begin()
  }
}

extension TideError {
  /// The system's error for a file that a script has named.
  init(sourceError error: SystemError, _ path: String) {
    self.init(.source, "\"\(path.inMessage)\": \(error.message)", cause: error)
  }
}
