import Driver
import Foundation
import TideStore
import Tidelock

/// A runtime that may keep databases in a folder, and what a script of it gives.
@MainActor
private func withStore(_ script: String, _ body: (Runtime, LuaFunction) throws -> Void) throws {
  try withFolder { folder in
    var configuration = Runtime.Configuration(turn: nil)
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    let runtime = try Runtime(path: folder.path + "/app.lua", configuration: configuration)
    let text = script.replacingOccurrences(of: "FOLDER", with: folder.path)
    guard let function = try runtime.lua.run(text, name: "=workload")[0].function else {
      throw Program.Failure(description: "the chunk gives no function")
    }
    try body(runtime, function)
  }
}

/// A list that follows 10,000 rows, of which one is changed again and again.
@MainActor
func measureQueryList() throws {
  let script = """
    local db = store.open("FOLDER/query.db")
    db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, payee TEXT, cents INTEGER, day TEXT)" }
    db:transaction(function()
      for i = 1, 10000 do
        db:run("INSERT INTO entry (payee, cents, day) VALUES (?, ?, ?)",
          { "payee " .. i, i * 7, "2026-01-" .. i % 28 })
      end
    end)
    local all = db:list("SELECT id, payee, cents, day FROM entry ORDER BY id")
    local told, changed = 0, 0
    all:observe(function() told = told + 1 end)
    observe(all[5000], "cents", function() changed = changed + 1 end)
    local cents = 0
    return function(count)
      for _ = 1, count do
        cents = cents + 1
        db:run("UPDATE entry SET cents = ? WHERE id = 5000", { cents })
      end
      if count > 0 then return all[5000].cents == cents end
      return #all == 10000 and all[5000].cents == cents and told == 0 and changed <= cents and changed > 0
    end
    """
  try withStore(script) { runtime, update in
    // What took long is asked for on another thread the next time, as the first reading may have.
    func waitUntilShown() throws {
      for _ in 0..<200 where try update.call([.integer(0)])[0] != .boolean(true) {
        runtime.loop.turn(timeout: 0.01)
      }
    }
    _ = try update.call([.integer(1)])
    try waitUntilShown()
    driver.measure("update", units: 1) { count in
      do {
        for _ in 0..<count where try update.call([.integer(1)])[0] != .boolean(true) {
          try waitUntilShown()
        }
      } catch { driver.fail("\(error)") }
    }
    driver.check(try update.call([.integer(0)])[0] == .boolean(true), "one row's change")
  }
}

/// Writes to a property of a model that is kept, beside one that is not.
@MainActor
func measureKeptWrites() throws {
  let script = """
    local db = store.open("FOLDER/kept.db")
    local plain = model "plain" { width = 0, text = "" }
    local kept = model "kept" { width = 0, text = "" }
    db:keep(kept)
    db:flush()
    return function(isKept, count)
      local target = isKept and kept or plain
      for i = 1, count do target.width = i end
    end
    """
  try withStore(script) { runtime, write in
    let count = 200_000
    var least = [Double.infinity, Double.infinity]
    for _ in 0..<7 {
      for (index, isKept) in [false, true].enumerated() {
        let start = Driver.now()
        _ = try write.call([.boolean(isKept), .integer(count)])
        least[index] = min(least[index], (Driver.now() - start) / Double(count))
        runtime.loop.turn(timeout: 0)
      }
    }
    driver.report("plain", least[0])
    driver.report("kept", least[1])
    driver.report("beyond", least[1] - least[0])
  }
}

/// Opens a database of a million rows whose writer was killed.
@MainActor
func measureRecovery() throws {
  let writer = """
    local db = store.open("recovery.db")
    db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, payee TEXT, cents INTEGER)" }
    local function fill(count)
      db:transaction(function()
        for i = 1, count do
          db:run("INSERT INTO entry (payee, cents) VALUES (?, ?)", { "payee " .. i, i })
        end
      end)
    end
    local rows = 0
    every(0.001, function()
      local count = rows < 1000000 and 50000 or 100
      fill(count)
      rows = rows + count
      db:flush()
      print(rows)
    end)
    """
  try withFolder { folder in
    try writer.write(
      to: folder.appending(path: "app.lua"), atomically: true, encoding: .utf8)
    let program = try Program(
      [Program.tidelock, "run", "app.lua", "--allow", "store=."], in: folder, onTerminal: false)
    var output = "", confirmed = 0
    var bytes = [UInt8](repeating: 0, count: 4096)
    let end = secondsNow() + 60
    while confirmed < 1_005_000, secondsNow() < end {
      let count = read(program.output, &bytes, bytes.count)
      guard count > 0 else { break }
      output += String(decoding: bytes.prefix(count), as: UTF8.self)
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      confirmed = lines.dropLast().compactMap { Int($0) }.last ?? confirmed
    }
    _ = program.end(by: SIGKILL)
    driver.check(confirmed >= 1_000_000, "a million rows")
    var configuration = Runtime.Configuration(turn: nil)
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    let runtime = try Runtime(path: folder.path + "/other.lua", configuration: configuration)
    let start = secondsNow()
    let found = try runtime.lua.run(
      """
      local db = store.open("\(folder.path)/recovery.db")
      return db:value("SELECT max(id) FROM entry").value
      """, name: "=recovery")[0].integer
    driver.report("open", (secondsNow() - start) * 1000)
    driver.report("missing", Double(max(0, confirmed - (found ?? 0))))
  }
}
