import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Reads standard input, which can be read only once. After a reload, the new version's stream
/// starts with the items of the old one.
final class InputReader: StreamSource {
  private let descriptor: Int32
  private let home: Home
  private var feed: LineFeed?
  private var watch: DescriptorWatch?
  private var work: LoopWork?
  /// Waits for all of standard input.
  private var reader: Runtime.SourceCompletion?
  private var whole: ReceivedBytes
  private var isAtEnd = false
  private var isPlainFile = false

  private static let slice = 1 << 14
  /// The most reads in a turn, and the number of lines after which a turn reads no more, so that
  /// frames are drawn in time.
  private static let mostReads = 64
  private static let mostLines = 1 << 13

  init(_ descriptor: Int32, in runtime: Runtime) {
    self.descriptor = descriptor
    whole = ReceivedBytes(runtime.memory.account)
    home = runtime.home
  }

  deinit { watch?.cancel() }

  // MARK: Consumers

  /// Connects a stream, which receives the lines read from now on.
  func feed(_ new: LineFeed, in runtime: Runtime) throws {
    if reader != nil {
      throw TideError(.source, "stdin.read() is reading all of standard input already")
    }
    let former = feed
    let isTried = runtime.loader.rollback != nil
    if let former {
      if !isTried, !former.isOver || isAtEnd, former.list.source === self {
        throw TideError(
          .source,
          "another stream has the lines of standard input; keep the one that "
            + "stdin.lines() gave")
      }
      try new.list.succeed(former.list)
      new.takeRest(of: former)
    }
    feed = new
    runtime.keepUndo { [weak self] in self?.feed = former }
    new.begin()
    if isAtEnd { return new.finish() }
    runtime.context.own { [weak self, weak new] in
      new?.list.source = nil
      guard let self, feed === new else { return }
      pause()
    }
    try begin()
  }

  /// Passes everything up to the end of input. Returns a function that cancels this.
  func readAll(_ completion: @escaping Runtime.SourceCompletion) throws -> () -> Void {
    if feed != nil || reader != nil {
      throw TideError(.source, "standard input is being read already")
    }
    reader = completion
    if isAtEnd { finishReader() } else { try begin() }
    return { [weak self] in self?.reader = nil }
  }

  // MARK: Reading

  func begin() throws {
    guard watch == nil, work == nil, !isAtEnd, let runtime = home.runtime else { return }
    do throws(SystemError) {
      watch = try runtime.loop.watch(descriptor: descriptor, keepsRunning: true) { [weak self] in
        self?.readOn()
      }
    } catch {
      // A plain file cannot be polled; another thread reads it.
      guard error.number == EPERM else { throw TideError(error, .source) }
      isPlainFile = true
      readFile(runtime)
    }
  }

  private func readOn() {
    defer { if let feed, !feed.flush() { pause() } }
    withUnsafeTemporaryAllocation(byteCount: Self.slice, alignment: 16) { room in
      for _ in 0..<Self.mostReads {
        // The descriptor may be shared with other programs, so it is not made non-blocking.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return }
        let count = read(descriptor, room.baseAddress, room.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count <= 0 { return finish(count < 0 ? errno : 0) }
        guard take(UnsafeRawBufferPointer(rebasing: room[..<count])), watch != nil else { return }
        if let feed, feed.gathered.count >= Self.mostLines { return }
      }
    }
  }

  private func readFile(_ runtime: Runtime) {
    let (descriptor, most) = (descriptor, Self.slice * 4)
    work = runtime.loop.work({ () -> Result<[UInt8], SystemError> in
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: most) { room, initialized in
        repeat {
          count = Glibc.read(descriptor, room.baseAddress, room.count)
        } while count < 0 && errno == EINTR
        initialized = max(0, count)
      }
      return count < 0 ? .failure(SystemError("cannot read", number: errno)) : .success(bytes)
    }) { [weak self] result in
      guard let self, let runtime = home.runtime else { return }
      work = nil
      switch result {
      case .success(let bytes) where bytes.isEmpty: finish(0)
      case .failure(let error): finish(error.number)
      case .success(let bytes):
        if bytes.withUnsafeBytes({ take($0) }), feed?.flush() ?? true {
          readFile(runtime)
        } else {
          pause()
        }
      }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if let feed {
      if feed.gather(bytes) { return true }
      pause()
      return false
    }
    guard let runtime = home.runtime else { return false }
    guard whole.count + bytes.count <= runtime.mostSourceBytes else {
      return refuse(
        TideError(
          .source,
          "standard input has more than \(runtime.mostSourceBytes) bytes, the limit \"value\"; "
            + "stdin.lines() takes it line by line"))
    }
    let (whole, count) = (whole, bytes.count)
    switch runtime.memory.grow({ whole.reserve(count) }, { [weak self] in self?.goOn($0) }) {
    case .now: whole.append(bytes)
    case .never: return refuse(.noRoom(for: "standard input"))
    case .later:
      // These bytes have been read already; reading continues when there is memory.
      whole.append(bytes)
      pause()
      return false
    }
    return true
  }

  private func goOn(_ hasRoom: Bool) {
    if reader == nil { return whole.removeAll() }
    if !hasRoom { return _ = refuse(.noRoom(for: "standard input")) }
    do { try begin() } catch { _ = refuse(TideError(script: error)) }
  }

  private func refuse(_ error: TideError) -> Bool {
    pause()
    let completion = reader
    reader = nil
    whole.removeAll()
    completion?(.failure(error))
    return false
  }

  private func finish(_ number: Int32) {
    pause()
    isAtEnd = true
    let error =
      number == 0
      ? nil : TideError(.source, "standard input cannot be read: \(SystemText.of(number))")
    feed?.finish(error)
    finishReader()
  }

  private func finishReader() {
    let completion = reader
    reader = nil
    let text = whole.finish()
    completion?(
      Result {
        guard let runtime = home.runtime else { return [] }
        return [try runtime.admittedText(text, of: "standard input")]
      })
    whole = ReceivedBytes(whole.reservation.account)
  }

  private func pause() {
    watch?.cancel()
    watch = nil
    work?.cancel()
    work = nil
  }

  func cancel() {
    pause()
    feed?.end()
  }

  func refresh() throws {
    throw TideError(.source, "standard input cannot be read again from its beginning")
  }
}
