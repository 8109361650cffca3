import EditorClients
import Fuzzing
import TestFolders
import TideSystem
import Testing

@Suite(.timeLimit(.minutes(60))) struct `The preview of an app in an editor` {
  let folder: ScratchFolder
  let server: ServerProgram
  var client: EditorClient { server.client }

  private static let app = """
    local part = require "part"
    model "fruit" { name = "apple" }
    return view.column {
      view.label { text = "first" },
      view.label { bindTo = { text = "fruit.name" } },
      part.view,
    }
    """

  init() throws {
    folder = try ScratchFolder()
    folder.write([
      "app.lua": Self.app, "part.lua": "return { view = view.label { text = \"third\" } }\n",
    ])
    server = try ServerProgram([Program.path, "lsp"], in: folder.path)
    client.initialize(root: folder.path)
    client.open("app.lua", Self.app)
  }

  private func preview(of name: String = "app.lua", line: Int? = nil) -> JSONValue {
    var params: JSONValue = ["textDocument": ["uri": client.uri(name)]]
    if let line { params["position"] = ["line": .int(line), "character": 0] }
    return client.ask("tidelock/preview", params)["result"]
  }

  private func replace(_ text: String, version: Int, in name: String = "app.lua") {
    client.change(name, [["text": .string(text)]], version: version)
  }

  @Test func `shows the views of the texts, saved or not, with their lines`() {
    let first = preview(line: 4)
    #expect(first["svg"].string?.contains("apple") == true)
    let views = first["views"].array ?? []
    #expect(views.compactMap { $0["line"].int } == [3, 4, 5, 1])
    #expect(views.last?["uri"] == client.uri("part.lua"))
    #expect(first["current"].int.map { views[$0]["line"].int } == 5)
    replace(Self.app.replacing("apple", with: "pear"), version: 2)
    #expect(preview()["svg"].string?.contains("pear") == true)
    #expect(folder.read("app.lua") == Self.app)
  }

  @Test func `a request is answered though its document is closed`() {
    // The later ones wait for a run that has not begun.
    let folders = ["one", "two", "three", "four"]
    let names = folders.map { $0 + "/app.lua" }
    let app = "show(view.label { text = 'x' })"
    for (name, parent) in zip(names, folders) {
      folder.makeFolder(parent)
      folder.write([name: app])
      client.open(name, app)
    }
    let requests = names.map { name in
      client.request("tidelock/preview", ["textDocument": ["uri": client.uri(name)]])
    }
    for name in names.reversed() { client.close(name) }
    for request in requests {
      let answer = client.response(to: request)
      #expect(answer["result"]["views"].array != nil || answer["error"]["message"].string != nil)
    }
  }

  @Test func `a change makes a new picture and notifies the editor`() {
    _ = preview()
    replace(Self.app.replacing("first", with: "changed"), version: 2)
    let told = client.next("tidelock/previewChanged")
    #expect(told?["params"]["uri"] == client.uri("app.lua"))
    #expect(preview()["svg"].string?.contains("changed") == true)
  }

  @Test func `a part is shown within its app`() {
    client.open("part.lua", "return { view = view.label { text = \"another\" } }\n")
    let svg = preview(of: "part.lua")["svg"].string ?? ""
    #expect(svg.contains("another") && svg.contains("first"))
  }

  @Test func `the last picture stays while a text cannot be run, with the reason`() {
    _ = preview()
    replace(Self.app.replacing("\"first\"", with: "nil .. 1"), version: 2)
    let failed = preview()
    #expect(failed["message"].string?.contains("app.lua:4") == true)
    #expect(failed["svg"].string?.contains("apple") == true)
    replace(Self.app + " (", version: 3)
    let unfinished = preview()
    #expect(unfinished["message"].string?.hasPrefix("app.lua:7: ") == true)
    #expect(unfinished["svg"].string?.contains("apple") == true)
  }

  /// What a script may try. Each runs in the preview, and the server goes on.
  @Test(arguments: [
    "while true do end", "local t = {} for i = 1, 1e9 do t[i] = { i } end",
    "os.execute('touch stolen')", "io.open('stolen', 'w'):write('x')", "exit(3)",
    "for i = 1, 1e7 do print(('x'):rep(1000)) end", "('a'):rep(1 << 40)",
    "local function f() return f() .. f() end f()",
    "coroutine.wrap(function() while true do end end)()",
    "setmetatable({}, { __gc = function() while true do end end })", "string.rep('x', 1e9)",
    "every(0, function() while true do end end)",
  ])
  func `an attack is stopped, and the server goes on`(attack: String) {
    replace(attack + "\n" + Self.app, version: 2)
    let answer = preview()
    #expect(answer["svg"].string != nil || answer["message"].string != nil)
    #expect(folder.entries(of: ".").contains("stolen") == false)
    replace(Self.app, version: 3)
    #expect(preview()["svg"].string?.contains("apple") == true)
    client.shutDown()
    #expect(server.wait() == 0)
  }

  @Test func `after random edits the picture is that of the last text`() throws {
    var random = SeededGenerator(seed: FuzzRun.seed(of: "previews"))
    let words = [
      "apple", "first", "view.label", "text", "return", "\n", "}", "\"x\"", "fruit.name",
    ]
    var version = 2
    for _ in 0..<3 {
      for _ in 0..<5 {
        var text = Self.app
        let word = try #require(words.randomElement(using: &random))
        let offset = Int.random(in: 0..<text.count, using: &random)
        text.insert(contentsOf: word, at: text.index(text.startIndex, offsetBy: offset))
        replace(text, version: version)
        version += 1
        if Bool.random(using: &random) { _ = preview() }
      }
      let name = "name\(Int.random(in: 0..<1000, using: &random))"
      replace(Self.app.replacing("apple", with: name), version: version)
      version += 1
      let shown = preview()["svg"].string
      #expect(shown?.contains(name) == true)
      let fresh = try ServerProgram([Program.path, "lsp"], in: folder.path)
      fresh.client.initialize(root: folder.path)
      fresh.client.open("app.lua", Self.app.replacing("apple", with: name))
      let params: JSONValue = ["textDocument": ["uri": fresh.client.uri("app.lua")]]
      #expect(fresh.client.ask("tidelock/preview", params)["result"]["svg"].string == shown)
      fresh.client.shutDown()
    }
  }

  @Test func `a browser gets the picture only by the secret address`() throws {
    let answer = client.ask(
      "workspace/executeCommand",
      ["command": "tidelock.preview", "arguments": [["uri": client.uri("app.lua")]]])["result"]
    let url = try #require(answer["url"].string)
    #expect(url.hasPrefix("http://127.0.0.1:"))
    let ticket = url.dropFirst("http://".count).split(separator: "/", maxSplits: 1)
    let host = String(ticket[0])
    let port = try #require(UInt16(host.split(separator: ":")[1]))
    func get(_ path: Substring, host: String) -> String {
      Self.exchange("GET /\(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n", port)
    }
    #expect(get(ticket[1], host: "evil.example").hasPrefix("HTTP/1.1 404"))
    let answered = get(ticket[1], host: host)
    let line = answered.split(separator: "\r\n").first { $0.hasPrefix("Location: /") }
    let parts = [ticket[0], try #require(line).dropFirst("Location: /".count)]
    #expect(get(parts[1], host: host).hasPrefix("HTTP/1.1 200"))
    #expect(get(parts[1], host: "evil.example").hasPrefix("HTTP/1.1 404"))
    #expect(get("guess/", host: host).hasPrefix("HTTP/1.1 404"))
    let picture = Substring(parts[1].replacing("/?", with: "/picture?"))
    let end = ContinuousClock.now + .seconds(20)
    var found = ""
    while !found.contains("apple"), ContinuousClock.now < end { found = get(picture, host: host) }
    #expect(found.contains("apple"))
    let click = parts[1].replacing("/?", with: "/click?") + "&5"
    _ = Self.exchange("POST /\(click) HTTP/1.1\r\nHost: \(host)\r\n\r\n", port)
    let shown = client.next("window/showDocument")
    #expect(shown?["params"]["uri"] == client.uri("app.lua"))
    #expect(shown?["params"]["selection"]["start"]["line"].int == 4)
  }

  private static func exchange(_ request: String, _ port: UInt16) -> String {
    let socket = TideSystem.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return "" }
    _ = Array(request.utf8).withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
    var answer: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &room, room.count, 0)
      if count <= 0 { return String(decoding: answer, as: UTF8.self) }
      answer += room[..<count]
    }
  }
}
