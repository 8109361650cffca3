import OwnThread
import FoundationEssentials
import Fuzzing
import Glibc
import Testing
import TideBindings
import TideGraph
@testable import TideScript

@testable import TideREPL

/// Random clients that send broken, cut and odd messages in pieces, vanish and come again: the app
/// lives, a client that behaves is served, and nothing is left over.
@Suite struct AttachFuzzTests {
  private static let seeds = [
    #"{"kind":"attach","version":1}"#,
    #"{"kind":"evaluate","id":1,"text":"x = (x or 0) + 1 return x"}"#,
    #"{"kind":"evaluate","id":2,"text":"print(x) sleep(0.001) return _"}"#,
    #"{"kind":"evaluate","id":3,"text":"for i = 1, 100 do print(('y'):rep(i)) end","width":40}"#,
    #"{"kind":"evaluate","id":4,"text":"local a","unfinished":true}"#, #"{"kind":"interrupt"}"#,
    #"{"kind":"complete","id":5,"text":"string.for"}"#,
    #"{"kind":"load","name":"f.lua","text":"x()"}"#,
    #"{"kind":"evaluate","id":6,"text":":mem"}"#, #"{"kind":"evaluate","id":[],"text":":help"}"#,
    #"{"kind":"evaluate","id":7,"text":"sleep(1000)"}"#,
    #"{"kind":"evaluate","id":8,"text":"error({})"}"#, #"{"kind":"evaluate","text":":watch a.b"}"#,
    #"{"kind":"evaluate","text":":set fruit.name 'kiwi'"}"#,
    #"{"kind":"evaluate","text":":load /etc/passwd"}"#, #"{"kind":"evaluate","text":":profile"}"#,
    #"{"kind":"inspect","id":9,"ask":"children","node":""}"#,
    #"{"kind":"inspect","ask":"children","node":"models"}"#,
    #"{"kind":"inspect","ask":"children","node":"c1"}"#,
    #"{"kind":"inspect","ask":"properties","node":"o1"}"#,
    #"{"kind":"inspect","ask":"why","node":"o1","name":"name"}"#,
    #"{"kind":"inspect","ask":"dependencies","node":"o1","name":"name"}"#,
    #"{"kind":"inspect","ask":"set","node":"o1","name":"name","text":"'kiwi'"}"#,
    #"{"kind":"inspect","ask":"path","node":"o1"}"#,
    #"{"kind":"inspect","ask":"source","file":"/etc/passwd"}"#,
    #"{"kind":"inspect","ask":"made","file":".app.lua","node":"9223372036854775807"}"#,
    #"{"kind":"inspect","ask":"bindings","file":".app.lua","line":1}"#,
    #"{"kind":"inspect","ask":"errors"}"#, #"{"kind":"inspect","ask":"reloads"}"#,
    #"{"kind":"inspect","ask":"mark","node":"o1"}"#, #"{"kind":"inspect","ask":"pick"}"#,
  ].map { Array($0.utf8) + [0x0A] }

  /// What is wrong after such clients; nil while all is well.
  static func fault(_ input: [UInt8]) -> String? {
    guard let app = try? AttachedApp("model 'fruit' { name = 'fig' }") else { return "no app" }
    var source = ByteSource(input)
    var clients: [RawClient] = []
    while !source.isAtEnd {
      switch source.number(below: 12) {
      case 0: if clients.count < 40, let client = try? app.connect() { clients.append(client) }
      case 1: if clients.count < 40, let client = try? app.attach() { clients.append(client) }
      case 2: if !clients.isEmpty { clients.remove(at: source.number(below: clients.count)) }
      case 3: if let client = clients.last { shutdown(client.descriptor, Int32(SHUT_WR)) }
      case 4: app.runtime.turn(timeout: 0)
      case 5: for client in clients { client.read() }
      case 6:
        guard let client = clients.last else { continue }
        let count = source.number(below: 64)
        client.send((0..<count).map { _ in UInt8(source.number(below: 256)) })
      default:
        guard !clients.isEmpty else { continue }
        let client = clients[source.number(below: clients.count)]
        var bytes = source.pick(seeds)
        for _ in 0..<source.number(below: 4) where !bytes.isEmpty {
          mutate(&bytes, &source)
        }
        client.send(bytes)
      }
      if app.runtime.exitCode != nil { return "the app has ended" }
    }
    clients = []
    guard app.run(seconds: 10, until: { app.server?.count == 0 }) else {
      return "sessions are left over"
    }
    if !app.run(seconds: 10, until: { app.runtime.tasks.running.isEmpty }) {
      return "tasks are left over"
    }
    var values: [String]?
    // On a machine that stalls a turn may be over before it has begun.
    for _ in 0..<3 where values != ["\"fig\""] {
      // A client may have written the model.
      _ = try? app.runtime.evaluate("models.fruit.name = 'fig'", as: Value.self)
      values = (try? app.attach())?.values("models.fruit.name")
    }
    return values == ["\"fig\""] ? nil : "who behaves gets \(values ?? [])"
  }

  private static func mutate(_ bytes: inout [UInt8], _ source: inout ByteSource) {
    let index = (source.number(below: 256) * bytes.count) >> 8
    switch source.number(below: 6) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = UInt8(source.number(below: 256))
    case 2: bytes.insert(source.pick(Array("{}[]\":,\\u0\n".utf8)), at: index)
    case 3: bytes.removeSubrange(index...)
    case 4: bytes += bytes[index...]
    default: bytes.insert(contentsOf: [UInt8](repeating: bytes[index], count: 5000), at: index)
    }
  }

  @Test func `what was found before is well`() async throws {
    for (file, input) in FuzzRun.found(by: "attach") {
      let fault = try await onOwnThread { Self.fault(input) }
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random clients harm nobody`() async throws {
    try await onOwnThread {
      var random = SeededGenerator("attach fuzz")
      var run = FuzzRun("attach", stepsInSuite: 40)
      let found = run.firstFault(sizes: 20...600, using: &random, Self.fault)
      if let found { Issue.record("\(found.text)") }
    }
  }
}
