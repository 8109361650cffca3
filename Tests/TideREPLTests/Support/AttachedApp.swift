import OwnThread
import Glibc
import TideBindings
import TideGraph
import TideScript

@testable import TideREPL

/// An app in a folder of its own to which a test attaches, on the thread of the test: it goes on
/// while the test waits for something.
final class AttachedApp {
  let folder: RuntimeFolder
  let runtime: Runtime
  private(set) var server: AttachServer?
  /// What the host got to print.
  private(set) var printed: [String] {
    get { box.lines }
    set { box.lines = newValue }
  }
  private let box = Box()

  private final class Box {
    var lines: [String] = []
    weak var server: AttachServer?
  }

  struct Failure: Error {}

  init(
    _ script: String = "model 'nothing' {}", limits: SocketThread.Limits = .init(),
    configuration given: Runtime.Configuration = .init()
  ) throws {
    var template = Array("/tmp/tidelock-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    folder = RuntimeFolder(path: path)
    let file = path + "/.app.lua"
    Self.write(script, to: file)
    var configuration = given
    configuration.printBytes = { [box] in
      if box.server?.takes($0) != true { box.lines.append(String(decoding: $0, as: UTF8.self)) }
    }
    runtime = try Runtime(file: file, configuration: configuration)
    let server = try AttachServer(
      runtime, name: "fruit", script: file, in: folder, limits: limits)
    box.server = server
    self.server = server
    try runtime.load()
  }

  deinit {
    stop()
    for name in folder.entries + [".app.lua"] { unlink("\(folder.path)/\(name)") }
    rmdir(folder.path)
  }

  func stop(exitCode: Int32? = nil) {
    server?.stop(exitCode: exitCode)
    server = nil
  }

  func save(_ script: String) { Self.write(script, to: folder.path + "/.app.lua") }

  private static func write(_ text: String, to file: String) {
    guard let handle = fopen(file, "w") else { return }
    fputs(text, handle)
    fclose(handle)
  }

  /// Lets the app run until something is so; false when it never was.
  func run(seconds: Double = 20, until condition: () -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 200) {
      if condition() { return true }
      runtime.turn(timeout: 0.005)
    }
    return condition()
  }

  func connect() throws -> RawClient {
    guard let server, case .made(let descriptor) = LocalSocket.connect(to: server.path) else {
      throw Failure()
    }
    return RawClient(descriptor, self)
  }

  /// A client that has a session.
  func attach() throws -> RawClient {
    let client = try connect()
    client.send(#"{"kind":"attach","version":1}"#)
    return client
  }
}

/// Runs a test on a thread of its own, with an app and a client that has a session.
func onAttachedApp(
  _ body: @escaping @Sendable (AttachedApp, RawClient) throws -> Void
) async throws {
  try await onOwnThread {
    let app = try AttachedApp()
    try body(app, try app.attach())
  }
}

/// One end of a socket that sends whatever it likes and waits for nothing.
final class RawClient {
  let descriptor: Int32
  private let app: AttachedApp
  private var lines = LineBuffer(limit: 1 << 30)
  private(set) var messages: [Message] = []
  private(set) var isClosed = false
  private var requests = 0

  init(_ descriptor: Int32, _ app: AttachedApp) {
    self.descriptor = descriptor
    self.app = app
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends a line.
  func send(_ line: String) { send(Array((line + "\n").utf8)) }

  /// Sends bytes as far as the other end takes them, while the app goes on; false where it is gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        app.runtime.turn(timeout: 0.001)
      } else {
        return false
      }
    }
    return true
  }

  func read() {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while !isClosed {
      let count = recv(descriptor, &room, room.count, 0)
      if count > 0 {
        try? lines.add(room[..<count])
      } else {
        isClosed = count == 0 || errno != EAGAIN
        break
      }
    }
    while let line = lines.next() {
      if let message = try? MessageReader.read(line) { messages.append(message) }
    }
  }

  func waitForEnd() -> Bool {
    app.run {
      read()
      return isClosed
    }
  }

  /// Waits for a message, and takes it.
  func wait(for condition: (Message) -> Bool) -> Message? {
    var found: Message?
    _ = app.run {
      read()
      guard let index = messages.firstIndex(where: condition) else { return isClosed }
      found = messages.remove(at: index)
      return true
    }
    return found
  }

  func wait(for kind: String) -> Message? { wait { $0.kind == kind } }

  /// Sends a request; gives its number.
  @discardableResult
  func request(_ kind: String, _ fields: KeyValuePairs<String, Message.Field>) -> Int {
    requests += 1
    var message = Message(kind, fields)
    message["id"] = .number(requests)
    send(message.line)
    return requests
  }

  func answer(to id: Int) -> Message? { wait { $0.number("id") == id } }

  func evaluate(_ text: String) -> Message? {
    answer(to: request("evaluate", ["text": .text(text)]))
  }

  /// The values of a text, or how it failed.
  func values(_ text: String) -> [String] {
    let answer = evaluate(text)
    return answer?.texts("values") ?? [answer?.text("message") ?? "no answer"]
  }
}
