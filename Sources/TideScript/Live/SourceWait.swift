public import TideBindings
import TideGraph
package import TideLua
import TideSystem

extension Runtime {
  /// Receives the outcome of a waiting call.
  package typealias SourceCompletion = (Result<[LuaValue], any Error>) -> Void

  /// Makes a script's call wait for a system operation that reports once, on the loop's thread.
  ///
  /// - Parameters:
  ///   - name: the function that is called.
  ///   - holder: retains the memory of the outcome until the script has its copy.
  ///   - begin: starts the operation, and returns a function that cancels it.
  package func wait(
    _ call: borrowing LuaCall, forSource name: String, holding holder: AnyObject? = nil,
    _ begin: @escaping (_ completion: @escaping SourceCompletion) throws -> () -> Void
  ) throws {
    let location = location
    try wait(call, in: name) { task in
      let cancel = try begin { outcome in
        task.arrive(
          outcome.mapError { error in
            // The error gets the location of the call, however late the outcome arrives.
            guard var known = error as? TideError else { return error }
            known.location = known.location ?? location
            return known
          }, holding: holder)
      }
      return Wait.Handle(cancel: cancel)
    }
  }

  /// Makes a script's call wait for work on another thread.
  func wait<Outcome: Sendable>(
    _ call: borrowing LuaCall, forWork name: String, holding holder: AnyObject? = nil,
    _ body: @escaping @Sendable () -> Result<Outcome, SystemError>,
    lowering lower: @escaping (Runtime, Outcome) throws -> [LuaValue]
  ) throws {
    try wait(call, forSource: name, holding: holder) { [home] completion in
      guard let runtime = home.runtime else { return {} }
      let work = runtime.loop.work(body) { outcome in
        guard let runtime = home.runtime else { return }
        completion(
          Result {
            switch outcome {
            case .success(let value): return try lower(runtime, value)
            case .failure(let error): throw TideError(error, .source)
            }
          })
      }
      return { work.cancel() }
    }
  }

  /// Makes a call wait for a stub's outcome, some seconds of the virtual clock from now.
  func wait(
    _ call: borrowing LuaCall, forStub name: String, seconds: Double = 0,
    _ outcome: @escaping (Runtime) throws -> [LuaValue]
  ) throws {
    try wait(call, forSource: name) { [home] completion in
      guard let runtime = home.runtime else { return {} }
      let timer = runtime.loop.after(seconds) {
        guard let runtime = home.runtime else { return }
        completion(Result { try outcome(runtime) })
      }
      return { timer.cancel() }
    }
  }

  /// Converts received bytes to a script's text.
  static func luaText(_ bytes: [UInt8]) -> LuaValue {
    // A long text is not first copied to a Swift string.
    if bytes.count > 1 << 16 { return .bytes(bytes) }
    return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
  }

  /// The most bytes that one read may pass to a script.
  var mostSourceBytes: Int { configuration.limits.value }
}

extension Value {
  /// Converts received bytes to a text.
  init(text bytes: UnsafeRawBufferPointer) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = .string(text)
    } else {
      self = .bytes([UInt8](bytes))
    }
  }

  /// The bytes of a long text; 0 for a short one, which is charged with its row.
  fileprivate var longTextBytes: Int {
    let count =
      switch self {
      case .string(let text): text.utf8.count
      case .bytes(let bytes): bytes.count
      default: 0
      }
    return count > 64 ? count : 0
  }
}

/// Puts the lines of a source into a stream.
final class LineFeed {
  let list: StreamList
  private let home: Home
  private let context: BindingContext
  fileprivate var lines: LineSplitter
  private let longest: Int
  /// The memory of the incomplete line.
  private let reservation: MemoryReservation
  private(set) var isOver = true

  init(_ list: StreamList, in runtime: Runtime) {
    self.list = list
    home = runtime.home
    context = runtime.context
    longest = runtime.mostSourceBytes
    reservation = MemoryReservation(runtime.memory.account)
    lines = LineSplitter(longest: longest)
  }

  func begin() {
    isOver = false
    lines = rest ?? LineSplitter(longest: longest)
    rest = nil
    list.begin()
  }

  /// Continues with the incomplete line of another feed.
  func takeRest(of other: LineFeed) { rest = other.lines }

  private var rest: LineSplitter?

  /// Starts with the items and the error that the list has taken over.
  func goOn() {
    isOver = false
    lines = rest ?? lines
    rest = nil
    list.goOn()
  }

  /// Lines that the next `flush` puts into the stream.
  private(set) var gathered: [Value] = []

  /// Receives bytes and puts their lines into the stream. Returns false if there is no room; the
  /// stream has then ended.
  @discardableResult
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    gather(bytes) && flush()
  }

  /// Receives bytes, whose lines go into the stream with the next `flush`. An edit of a long list
  /// costs as much for one line as for hundreds.
  func gather(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if isOver { return false }
    let fits = lines.add(bytes) { gathered.append(Value(text: $0)) }
    guard fits else {
      _ = flush()
      end(
        TideError(
          .source, "a line has more than \(longest) bytes, which is the limit \"value\""))
      return false
    }
    guard home.runtime?.memory.hold(lines.heldBytes, in: reservation) ?? false else {
      _ = flush()
      lines = LineSplitter(longest: longest)
      reservation.shrink(to: 0)
      end(.noRoom(for: "a line of the stream"))
      return false
    }
    return true
  }

  /// Puts the gathered lines into the stream. Returns false if there is no room.
  func flush() -> Bool {
    let items = gathered
    gathered = []
    return isOver || push(items)
  }

  func push(_ items: [Value]) -> Bool {
    if items.isEmpty { return true }
    var failure: (any Error)?
    home.runWithinBudget {
      do {
        guard let runtime = home.runtime else { return }
        let kept = items.suffix(list.limit ?? .max)
        try runtime.admitRows(kept.count)
        try runtime.charge(kept.reduce(0) { $0 + $1.longTextBytes })
        try list.push(items)
      } catch {
        failure = error
      }
    }
    guard let failure else { return true }
    var error = TideError(script: failure)
    error.message += "; give the stream a limit"
    end(error)
    home.runtime?.list(error, of: context)
    return false
  }

  /// Ends the stream after the last line of the source.
  func finish(_ error: TideError? = nil) {
    if isOver { return }
    lines.finish { gathered.append(Value(text: $0)) }
    reservation.shrink(to: 0)
    if flush() { end(error) }
  }

  func end(_ error: TideError? = nil) {
    if isOver { return }
    isOver = true
    home.runWithinBudget { list.end(error) }
  }
}

extension TideError.Code {
  /// The script may not use the file, program or host.
  public static let notAllowed = Self("notAllowed", 416)
  /// A spec has called a source that it has no stub for.
  public static let noStub = Self("noStub", 417)
}
