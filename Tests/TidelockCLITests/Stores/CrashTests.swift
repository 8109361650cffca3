import Fuzzing
import Glibc
import TestFolders
import Testing

/// An app that keeps a model, a list and rows is killed again and again, at any moment.
/// `scripts/crash` does it a thousand times.
@Suite struct `Programs that are killed` {
  /// What the app writes is numbered: each number goes into the model, as the last row of the list,
  /// and, every other one, into three rows of a table in one transaction with both.
  private static let app = """
    local db = store.open("crash.db")
    db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER, part INTEGER)" }
    local counter = model "counter" { number = 0, twice = 0, rows = list {} }
    db:keep(counter)

    local function fail(text)
      print("broken: " .. text)
      exit(9)
      error(text)
    end

    local function check()
      if counter.twice ~= 2 * counter.number then fail "half of a settle" end
      local rows = counter.rows
      for index = 2, #rows do
        if rows[index].number ~= rows[index - 1].number + 1 then fail "rows out of order" end
      end
      if #rows > 0 and rows[#rows].number ~= counter.number then fail "a row is missing" end
      if #rows > 0 and rows[#rows].twice ~= counter.twice then fail "half of a row" end
      local last = db:value("SELECT max(number) FROM entry").value or 0
      if last > counter.number or last < counter.number - 1 then fail "a transaction is missing" end
      local sum = db:row("SELECT count(*) AS n, count(DISTINCT number) AS different FROM entry")
      if sum.n ~= 3 * sum.different then fail "half of a transaction" end
      if sum.different ~= last // 2 then fail "a number is missing" end
      if db:value("PRAGMA integrity_check").value ~= "ok" then fail "the file is damaged" end
    end

    local function write(number)
      batch(function()
        counter.number, counter.twice = number, 2 * number
        counter.rows:append { number = number, twice = 0 }
        counter.rows[#counter.rows].twice = 2 * number
        if #counter.rows > 20 then counter.rows:remove(1) end
      end)
    end

    local function step()
      local number = counter.number + 1
      if number % 2 == 0 then
        db:transaction(function()
          for part = 1, 3 do
            db:run("INSERT INTO entry (number, part) VALUES (?, ?)", { number, part })
          end
          write(number)
        end)
      else
        write(number)
      end
      if number % 5 == 0 then
        db:flush()
        print("confirmed " .. number)
      end
    end

    check()
    print("found " .. counter.number)
    every(0.001, step)
    """

  /// How often it is killed, and what came of it.
  private struct Tally {
    var kills = 0
    var number = 0
    /// Numbers that were there without having been confirmed.
    var unconfirmed = 0
  }

  private static let times = getenv("TIDELOCK_CRASHES").flatMap { Int(String(cString: $0)) } ?? 10

  @Test(.timeLimit(.minutes(60)))
  func `leave all that they have confirmed, and nothing by halves`() throws {
    let folder = try ScratchFolder()
    folder.write(Self.app, to: "app.lua")
    let seed = FuzzRun.seed(of: "crash")
    var random = SeededGenerator(seed: seed)
    var tally = Tally(), confirmed = 0
    while tally.kills < Self.times {
      let program = try Program(["run", "app.lua", "--allow", "store=."], in: folder)
      program.wait { $0.output.contains("found ") || $0.output.contains("broken") }
      usleep(UInt32.random(in: 0...150_000, using: &random))
      program.send(SIGKILL)
      let outcome = program.finish()
      tally.kills += 1
      let found = Self.numbers("found ", outcome).last ?? -1
      let sound =
        outcome.status == .signalled(SIGKILL) && !outcome.output.contains("broken")
        && found >= confirmed
      #expect(
        sound, "seed \(seed), kill \(tally.kills): \(confirmed) was confirmed\n\(outcome)")
      if !sound { return }
      tally.unconfirmed += found - confirmed
      confirmed = Self.numbers("confirmed ", outcome).last ?? found
      tally.number = confirmed
    }
    print(
      "crash: \(tally.kills) kills, \(tally.number) numbers written, nothing confirmed missing, "
        + "\(tally.unconfirmed) numbers kept beyond what was confirmed")
  }

  private static func numbers(_ word: String, _ outcome: Program.Outcome) -> [Int] {
    outcome.outputLines.compactMap { $0.hasPrefix(word) ? Int($0.dropFirst(word.count)) : nil }
  }
}
