import Glibc
import TestFolders
import Testing
import WebClients

/// `tidelock serve --sessions private --workers`, as a person starts it, with processes that are
/// killed, stopped and short of memory.
@Suite(.serialized) struct WorkerTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      fruit = model "fruit" { name = arg[1] or "apple", size = 0 }
      room = shared("room", { topic = "none" })
      print("begins", fruit.name)
      show(view.column {
        view.label { bindTo = { text = "fruit.name" } },
        view.label { bindTo = { text = "room.topic" } },
        view.button { title = "change", on = { touchUpInside = function()
          fruit.name = "pear" room.topic = "pears"
        end } },
        view.button { title = "grow", on = { touchUpInside = function()
          grown = ("x"):rep(40000000) fruit.size = #grown
        end } },
        view.button { title = "open", on = { touchUpInside = function()
          room.topic = tostring(pcall(function() return io.open("/etc/passwd") end))
        end } },
      })
      """, to: "app.lua")
  }

  private func start(_ arguments: String...) throws -> (program: Program, address: WebAddress) {
    let program = try Program(
      ["serve", "app.lua", "--sessions", "private", "--workers"] + arguments, in: folder)
    program.wait { $0.output.contains("?token=") }
    return (program, WebAddress(program.output.split(separator: "\n").first.map(String.init) ?? ""))
  }

  /// A page, which reads what it is sent as text.
  private final class Page {
    let client: RawClient
    private(set) var text = ""

    /// - Parameter cookie: the value of the browser's cookie; nil for the address's own.
    init(_ address: WebAddress, session: String = "", cookie: String? = nil) throws {
      client = try RawClient(port: address.port)
      let line = cookie.map { ["Cookie: tidelock-\(address.port)=\($0)"] } ?? []
      client.send(address.upgrade(cookie: cookie == nil, session: session, line))
      _ = client.head()
    }

    /// Reads until a text comes; false where the connection ends before.
    func reads(_ wanted: String) -> Bool {
      while !text.contains(wanted) {
        guard let message = client.message() else { return false }
        text += message + "\n"
      }
      return true
    }

    /// Reads to the end of the connection.
    func readsToEnd() { while let message = client.message() { text += message + "\n" } }

    var session: String {
      text.firstMatch(of: /"session":"([^"]+)"/).map { String($0.output.1) } ?? ""
    }

    /// Presses a button by its title.
    func press(_ title: String, number: Int = 1) throws {
      let pattern = try Regex(#"\[(\d+),"button",\{[^}]*"title":"\#(title)""#)
      let match = try #require(text.firstMatch(of: pattern))
      let id = match.output[1].substring ?? ""
      client.say("[\(number),\"press\",\(id)]")
    }
  }

  /// The processes that a process has started, and those that these have, by name.
  private func processes(below parent: pid_t) -> [(id: pid_t, name: String)] {
    var all: [(id: pid_t, parent: pid_t, name: String)] = []
    guard let entries = opendir("/proc") else { return [] }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let id = pid_t(name), let stat = text(of: "/proc/\(id)/stat") else { continue }
      guard let open = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")") else { continue }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      guard fields.count > 1, fields[0] != "Z", let parent = pid_t(fields[1]) else { continue }
      all.append((id, parent, String(stat[stat.index(after: open)..<end])))
    }
    var found: [(id: pid_t, name: String)] = []
    var parents = [parent]
    while let one = parents.popLast() {
      for process in all where process.parent == one {
        found.append((process.id, process.name))
        parents.append(process.id)
      }
    }
    return found
  }

  private func workers(of program: Program) -> [pid_t] {
    processes(below: program.process).filter { $0.name == "tidelock-worker" }.map(\.id).sorted()
  }

  private func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func descriptors(of process: pid_t) -> Int {
    guard let entries = opendir("/proc/\(process)/fd") else { return -1 }
    defer { closedir(entries) }
    var count = 0
    while readdir(entries) != nil { count += 1 }
    return count
  }

  private func end(_ program: Program) {
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
    #expect(workers(of: program).isEmpty)
  }

  @Test(arguments: ["auto", "off"])
  func `each session has a process, and what is printed names it`(confine: String) throws {
    let (program, address) = try start("--confine", confine, "--", "plum")
    let pages = [try Page(address), try Page(address.another)]
    for page in pages { #expect(page.reads("plum")) }
    // A program that a worker starts bears its name until it has one of its own.
    program.wait { _ in workers(of: program).count == 2 }
    program.wait { $0.errors.contains("session 2: begins\tplum") }
    #expect(program.errors.contains("session 1: begins"))
    end(program)
  }

  @Test func `shared models are one for all processes`() throws {
    let (program, address) = try start()
    let (one, other) = (try Page(address), try Page(address.another))
    #expect(one.reads("change") && other.reads("none"))
    try one.press("change")
    #expect(other.reads("pears"))
    #expect(!other.text.contains("\"pear\""))
    end(program)
  }

  @Test(arguments: [SIGSEGV, SIGKILL, SIGABRT, SIGTERM, SIGBUS])
  func `one that ends by a signal ends alone, and its page goes on with its values`(
    signal: Int32
  ) throws {
    let (program, address) = try start("--no-watch")
    let ann = try Page(address)
    #expect(ann.reads("apple"))
    let first = workers(of: program)
    let bob = try Page(address.another)
    #expect(bob.reads("apple"))
    try ann.press("change")
    #expect(ann.reads("[\"ack\",1]"))
    kill(try #require(first.first), signal)
    ann.readsToEnd()
    #expect(ann.client.closing?.reason.contains("stopped unexpectedly") == true)
    program.wait { $0.errors.contains("E0437") }
    #expect(program.errors.contains("signal \(signal)"))
    let again = try Page(address, session: ann.session)
    #expect(again.reads("stopped unexpectedly"))
    #expect(again.text.contains("\"pear\""))
    try bob.press("change")
    #expect(bob.reads("[\"ack\",1]"))
    program.wait { _ in workers(of: program).count == 2 }
    end(program)
  }

  @Test func `one that answers no more is killed in time`() throws {
    let (program, address) = try start("--no-watch", "--turn", "0.5")
    let page = try Page(address)
    #expect(page.reads("apple"))
    // As native code that hangs: nothing of the process runs.
    kill(try #require(workers(of: program).first), SIGSTOP)
    try page.press("change")
    program.wait { $0.errors.contains("E0437") }
    #expect(program.errors.contains("did not answer"))
    page.readsToEnd()
    #expect(page.client.closing?.code == 4000)
    end(program)
  }

  @Test(.enabled(if: !hasSanitizer, "a sanitizer has memory of its own"))
  func `the kernel holds the memory of each`() throws {
    let (program, address) = try start("--no-watch", "--memory", "64M")
    let page = try Page(address)
    #expect(page.reads("apple"))
    let worker = try #require(workers(of: program).first)
    let limits = try #require(text(of: "/proc/\(worker)/limits"))
    #expect(limits.contains("Max data size             \((64 + 256) << 20)"))
    // As if native code had taken the rest.
    #expect(system("prlimit --pid \(worker) --data=1048576") == 0)
    try page.press("grow")
    // An error of the script, or the end of the process: never the end of the server.
    let other = try Page(address.another)
    #expect(other.reads("apple"))
    end(program)
  }

  @Test(.enabled(if: !hasSanitizer, "a sanitizer looks into the process"))
  func `each has a wall of its own`() throws {
    let (program, address) = try start("--no-watch", "--confine", "required")
    let page = try Page(address)
    #expect(page.reads("apple"))
    let worker = try #require(workers(of: program).first)
    let status = try #require(text(of: "/proc/\(worker)/status"))
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
    // The channel, the standard streams, what a loop needs: no socket that listens.
    #expect(descriptors(of: worker) < 16)
    end(program)
  }

  @Test func `they end with the server, however that ends`() throws {
    for signal in [SIGKILL, SIGTERM] {
      let (program, address) = try start("--no-watch")
      let pages = try (0..<3).map { _ in try Page(address.another) }
      for page in pages { #expect(page.reads("apple")) }
      let workers = workers(of: program)
      #expect(workers.count == 3)
      program.send(signal)
      _ = program.finish()
      for worker in workers {
        expectSoon { !isAlive(worker) }
      }
    }
  }

  /// Waits for what another process does.
  private func expectSoon(
    _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    for _ in 0..<1000 {
      if try condition() { return }
      usleep(10_000)
    }
    Issue.record("it did not happen", sourceLocation: sourceLocation)
  }

  private func isAlive(_ process: pid_t) -> Bool {
    guard let stat = text(of: "/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else {
      return false
    }
    return !stat[end...].hasPrefix(") Z")
  }

  @Test func `50 sessions come and go, and leave nothing behind`() throws {
    let (program, address) = try start("--no-watch", "--limit", "viewers=4", "--limit", "idle=1")
    do {
      let page = try Page(address)
      #expect(page.reads("apple"))
    }
    expectSoon { workers(of: program).isEmpty }
    let before = descriptors(of: program.process)
    for _ in 0..<50 {
      // Those that have gone may still be ending.
      try expectSoon { try Page(address.another).reads("apple") }
    }
    expectSoon { workers(of: program).isEmpty }
    expectSoon { descriptors(of: program.process) <= before }
    end(program)
  }

  @Test func `a browser finds what its session has kept, after the server was killed`() throws {
    folder.makeFolder("data")
    folder.write(
      """
      local db = store.open("data/kept.db")
      fruit = model "fruit" { name = "apple" }
      session.keep(fruit)
      show(view.column {
        view.label { bindTo = { text = "fruit.name" } },
        view.button { title = "change", on = { touchUpInside = function()
          fruit.name = "pear"
          db:flush()
        end } },
      })
      """, to: "app.lua")
    func start() throws -> (program: Program, address: WebAddress) {
      try self.start("--allow", "store=data", "--token-file", "token")
    }
    let cookie: String
    do {
      let (program, address) = try start()
      cookie = String(address.cookie.drop { $0 != "=" }.dropFirst())
      let page = try Page(address)
      #expect(page.reads("apple"))
      try page.press("change")
      #expect(page.reads("pear"))
      let workers = workers(of: program)
      program.send(SIGKILL)
      _ = program.finish()
      for worker in workers { expectSoon { !isAlive(worker) } }
    }
    let (program, address) = try start()
    #expect(try Page(address, cookie: cookie).reads("pear"))
    #expect(try Page(address).reads("apple"))
    end(program)
  }

  @Test func `without private sessions it is refused`() throws {
    let outcome = try Program.run(["serve", "app.lua", "--workers"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("add --sessions private"))
  }
}
