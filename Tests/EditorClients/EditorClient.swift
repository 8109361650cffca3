package import TideSystem
import TideLanguageServer

/// An editor as a language server sees it: it sends messages, and waits for those that come.
///
/// ```swift
/// let client = EditorClient(reading: output, writing: input)
/// client.initialize(root: folder.path)
/// client.open("app.lua", "print(x)")
/// client.diagnostics(of: "app.lua")?.items
/// ```
///
/// Nothing waits longer than some seconds.
package final class EditorClient {
  /// Of one file, as they were published.
  package struct Diagnostics {
    package let version: Int?
    package let items: [JSONValue]

    package var messages: [String] { items.compactMap { $0["message"].string } }
    /// As `0:6-0:7`.
    package var ranges: [String] {
      items.map { item in
        let (start, end) = (item["range"]["start"], item["range"]["end"])
        return [start, end].map {
          "\($0["line"].int ?? -1):\($0["character"].int ?? -1)"
        }.joined(separator: "-")
      }
    }
  }

  /// The folder that names of files start from.
  package var root = "/"
  private let input: Int32
  private let output: Int32
  private var framer = MessageFramer()
  /// What has come and was not asked for yet.
  private var received: [JSONValue] = []
  private var hasEnded = false
  private var requestCount = 0

  /// - Parameters:
  ///   - input: what the server writes.
  ///   - output: what the server reads.
  package init(reading input: Int32, writing output: Int32) {
    self.input = input
    self.output = output
    // A server that has gone is an error of the write.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    close(input)
    endOutput()
  }

  private var isOpen = true

  /// Ends what the server reads.
  package func endOutput() {
    if isOpen { close(output) }
    isOpen = false
  }

  // MARK: Sending

  /// Sends bytes as they are; false where the server does not take them within some time.
  @discardableResult
  package func send(bytes: [UInt8], seconds: Double = 10) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      guard poll(&descriptor, 1, Int32(seconds * 1000)) > 0 else { return false }
      // No more than what a pipe takes at once.
      let count = rest.prefix(4096).withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(bytes: MessageFramer.frame(Array(text.utf8))) }

  @discardableResult
  package func notify(_ method: String, _ params: JSONValue = nil) -> Bool {
    let message: JSONValue = ["jsonrpc": "2.0", "method": .string(method), "params": params]
    return send(message.text)
  }

  /// Sends a request, and gives its id.
  package func request(_ method: String, _ params: JSONValue = nil, id: JSONValue? = nil)
    -> JSONValue
  {
    requestCount += 1
    let id = id ?? .int(requestCount)
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": id, "method": .string(method), "params": params,
    ]
    send(message.text)
    return id
  }

  /// Sends a request and waits for its response.
  package func ask(_ method: String, _ params: JSONValue = nil) -> JSONValue {
    response(to: request(method, params))
  }

  // MARK: Receiving

  /// The next message; nil where none comes.
  package func next(seconds: Double = 10) -> JSONValue? {
    if received.isEmpty { receive(seconds: seconds) }
    return received.isEmpty ? nil : received.removeFirst()
  }

  /// The next message of those that are wanted; the others wait.
  package func next(where isWanted: (JSONValue) -> Bool, seconds: Double = 10) -> JSONValue? {
    var index = 0
    while true {
      while index < received.count {
        if isWanted(received[index]) { return received.remove(at: index) }
        index += 1
      }
      let count = received.count
      receive(seconds: seconds)
      if received.count == count { return nil }
    }
  }

  /// The response to a request; null where none comes.
  package func response(to id: JSONValue) -> JSONValue {
    next { $0["method"].isNull && $0["id"] == id } ?? nil
  }

  /// The next notification or request of a method.
  package func next(_ method: String, seconds: Double = 10) -> JSONValue? {
    next(where: { $0["method"].string == method }, seconds: seconds)
  }

  private func receive(seconds: Double) {
    let count = received.count
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    while received.count == count, !hasEnded {
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, Int32(seconds * 1000)) > 0 else { return }
      let read = TideSystem.read(input, room.baseAddress, room.count)
      guard read > 0 else {
        hasEnded = true
        return
      }
      var messages: [JSONValue] = []
      try? framer.add(UnsafeRawBufferPointer(rebasing: room[..<read])) { bytes in
        messages.append((try? JSONValue(parsing: bytes)) ?? nil)
      }
      received += messages
    }
  }

  // MARK: What editors do

  /// The URI of a file below the root.
  package func uri(_ name: String) -> JSONValue {
    .string(name.contains(":") ? name : DocumentURI.of(path: root + "/" + name))
  }

  /// Starts the session in a folder, and gives the server's answer.
  @discardableResult
  package func initialize(root: String, capabilities: JSONValue = [:]) -> JSONValue {
    self.root = root
    let answer = ask(
      "initialize",
      [
        "processId": nil, "rootUri": .string(DocumentURI.of(path: root)),
        "capabilities": capabilities,
      ])
    notify("initialized", [:])
    return answer["result"]
  }

  package func open(_ name: String, _ text: String, version: Int = 1) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": uri(name), "languageId": "lua", "version": .int(version), "text": .string(text),
        ]
      ])
  }

  package func change(_ name: String, _ changes: [JSONValue], version: Int) {
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": uri(name), "version": .int(version)],
        "contentChanges": .array(changes),
      ])
  }

  /// Replaces what is between two positions of a line.
  package func change(
    _ name: String, line: Int, _ characters: Range<Int>, _ text: String, version: Int
  ) {
    let range = TextRange(
      start: TextPosition(line: line, character: characters.lowerBound),
      end: TextPosition(line: line, character: characters.upperBound))
    change(name, [["range": range.json, "text": .string(text)]], version: version)
  }

  package func save(_ name: String) {
    notify("textDocument/didSave", ["textDocument": ["uri": uri(name)]])
  }

  package func close(_ name: String) {
    notify("textDocument/didClose", ["textDocument": ["uri": uri(name)]])
  }

  private func close(_ descriptor: Int32) { TideSystem.close(descriptor) }

  /// The next diagnostics of a file that are of a version or a later one.
  package func diagnostics(
    of name: String, version: Int? = nil, seconds: Double = 10
  ) -> Diagnostics? {
    let message = next(
      where: { message in
        guard message["method"].string == "textDocument/publishDiagnostics",
          message["params"]["uri"] == uri(name)
        else { return false }
        guard let version else { return true }
        return message["params"]["version"].int ?? -1 >= version
      }, seconds: seconds)
    guard let params = message?["params"] else { return nil }
    return Diagnostics(version: params["version"].int, items: params["diagnostics"].array ?? [])
  }

  /// Ends the session in order.
  package func shutDown() {
    _ = ask("shutdown")
    notify("exit")
  }
}
