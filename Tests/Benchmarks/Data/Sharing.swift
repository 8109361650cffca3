import Driver
import Foundation
import TideBindings
import TideShare
import Tidelock

/// A NATS server of this machine, with its data in a folder, and what connects to it.
@MainActor
private func withServer(_ body: (URL, _ address: String) throws -> Void) throws {
  let server = "/usr/sbin/nats-server"
  guard FileManager.default.isExecutableFile(atPath: server) else { driver.refuse() }
  try withFolder { folder in
    let ports = folder.appending(path: "ports"), data = folder.appending(path: "data")
    try FileManager.default.createDirectory(at: ports, withIntermediateDirectories: true)
    let program = try Program(
      [
        server, "-js", "-a", "127.0.0.1", "-p", "-1", "-sd", data.path, "--ports_file_dir",
        ports.path,
      ],
      in: folder, onTerminal: false)
    defer { _ = program.end(by: SIGKILL) }
    var address = ""
    for _ in 0..<500 where address.isEmpty {
      usleep(10_000)
      let names = try FileManager.default.contentsOfDirectory(atPath: ports.path)
      let text = names.first.flatMap {
        try? String(contentsOf: ports.appending(path: $0), encoding: .utf8)
      }
      guard let range = text?.range(of: "nats://127.0.0.1:"), let text else { continue }
      address = "127.0.0.1:" + text[range.upperBound...].prefix { $0.isNumber }
    }
    guard !address.isEmpty else { throw Program.Failure(description: "the server has not started") }
    try body(folder, address)
  }
}

@MainActor
private func withSharing(_ folder: URL, _ address: String, _ body: (Runtime) throws -> Void) throws
{
  let engine = try NatsEngine(NatsOptions("nats://\(address)/bench"), name: "bench")
  defer { engine.close(within: 0) }
  var configuration = Runtime.Configuration(turn: nil)
  configuration.shared = engine
  let runtime = try Runtime(path: folder.path + "/app.lua", configuration: configuration)
  try body(runtime)
}

@MainActor
private func turn(_ runtime: Runtime, _ timeout: Double) {
  runtime.loop.turn(timeout: timeout)
  runtime.settle()
}

/// Turns a runtime until its shared model is connected and has nothing that is not confirmed.
@MainActor
private func confirm(_ runtime: Runtime) throws {
  let end = secondsNow() + 60
  while secondsNow() < end {
    let isConfirmed = try runtime.evaluate(
      "board.sync.state == 'live' and board.sync.pending == 0", as: Bool.self)
    if isConfirmed { return }
    for _ in 0..<20 { turn(runtime, 0.001) }
  }
  throw Program.Failure(description: "not all was confirmed")
}

/// Writes to a thousand shared objects, one after the other, until all are confirmed.
@MainActor
func measureSharedWrites() throws {
  try withServer { folder, address in
    try withSharing(folder, address) { runtime in
      try runtime.evaluate(
        """
        Card = class "card" { n = 0, text = "" }
        board = shared("board", { cards = list {} })
        """, as: Value.self)
      try confirm(runtime)
      try runtime.evaluate(
        """
        local cards = {}
        for i = 1, 1000 do cards[i] = Card { text = "card " .. i } end
        board.cards:set(cards)
        local n = 0
        function write()
          for i = 1, 1000 do
            n = n + 1
            cards[i].n = n
          end
        end
        """, as: Value.self)
      try confirm(runtime)
      let rounds = 60, start = secondsNow()
      for _ in 0..<rounds {
        try runtime.evaluate("write()", as: Value.self)
        // What was written is sent; the next round does not wait for it to be confirmed.
        turn(runtime, 0)
      }
      try confirm(runtime)
      driver.report("writes", Double(rounds * 1000) / (secondsNow() - start))
    }
  }
}

/// Appends rows to a list that two sessions of one process share.
@MainActor
func measureSharedAppends() throws {
  try withFolder { folder in
    var configuration = Runtime.Configuration(turn: nil)
    configuration.shared = SharedModels()
    var sessions: [Runtime] = []
    for _ in 0..<2 {
      let runtime = try Runtime(path: folder.path + "/app.lua", configuration: configuration)
      try runtime.evaluate(
        """
        Loan = class "loan" { who = "", days = 0 }
        desk = shared("desk", { loans = list {} })
        """, as: Value.self)
      sessions.append(runtime)
    }
    @MainActor func wait(for count: Int) throws {
      let end = secondsNow() + 60
      while try sessions[1].evaluate("#desk.loans", as: Int.self) < count {
        guard secondsNow() < end else { throw Program.Failure(description: "rows never showed") }
        for runtime in sessions { turn(runtime, 0) }
      }
    }
    let start = secondsNow()
    try sessions[0].evaluate(
      "for n = 1, 5000 do desk.loans:append(Loan { who = 'n' .. n, days = n }) end", as: Value.self)
    sessions[0].settle()
    driver.report("handler", (secondsNow() - start) * 1000)
    try wait(for: 5000)
    driver.report("shown", (secondsNow() - start) * 1000)
    for _ in 0..<50 { for runtime in sessions { turn(runtime, 0.001) } }
    let rounds = 100, begin = secondsNow()
    for number in 1...rounds {
      try sessions[0].evaluate("desk.loans:append(Loan { who = 'more' })", as: Value.self)
      try wait(for: 5000 + number)
    }
    driver.report("one", (secondsNow() - begin) * 1000 / Double(rounds))
  }
}

/// From a write in one process to the screen of another.
@MainActor
func measureSharedScreen() throws {
  try withServer { folder, address in
    let file = folder.appending(path: "follower.lua")
    let script = """
      local board = shared("board", { text = "begin" })
      return view.label { text = function() return board.text end }
      """
    try Data(script.utf8).write(to: file)
    let follower = try Program(
      [
        Program.tidelock, "run", file.path, "--share", "nats://\(address)/bench", "--allow",
        "net=\(address)",
      ], in: folder, onTerminal: true)
    defer { _ = follower.end(by: SIGKILL) }
    try withSharing(folder, address) { runtime in
      try runtime.evaluate("board = shared('board', { text = 'begin' })", as: Value.self)
      try confirm(runtime)
      var times: [Double] = []
      for number in 0..<320 {
        // No two in a row have a letter in common, so that all of the text is drawn.
        let text = String(repeating: number % 2 == 0 ? "<" : ">", count: 8)
        let start = secondsNow()
        try runtime.evaluate("board.text = '\(text)'", as: Value.self)
        let end = start + 5
        var seen: [UInt8] = []
        while !seen.contains(Array(text.utf8)), secondsNow() < end {
          turn(runtime, 0)
          var waiting = pollfd(fd: follower.output, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 1) > 0 else { continue }
          var bytes = [UInt8](repeating: 0, count: 1 << 14)
          let count = read(follower.output, &bytes, bytes.count)
          if count > 0 { seen += bytes[..<count] }
        }
        guard secondsNow() < end else { throw Program.Failure(description: "a write never showed") }
        // The follower starts meanwhile.
        if number >= 20 { times.append((secondsNow() - start) * 1000) }
        for _ in 0..<5 { turn(runtime, 0.002) }
      }
      times.sort()
      driver.report("half", times[times.count / 2])
      driver.report("most", times[times.count * 99 / 100])
    }
  }
}
