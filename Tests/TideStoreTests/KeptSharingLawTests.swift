import Fuzzing
import TestFolders
import TideBindings
import TideScript
import Testing

/// Sessions of a program come, write a shared model that is kept, and go; the program is killed and
/// started again. A row whose writer knows that it is confirmed is there, once, until somebody
/// removes it; all sessions agree when nothing is on its way.
@Suite struct `A shared model that a program keeps` {
  @Test(arguments: 0..<6) func `has each confirmed row once, whatever happens`(seed: UInt64) throws
  {
    let world = try World(seed)
    for step in 0..<80 { try world.step(step) }
    try world.agree()
    try world.kill()
    try world.kill()
    #expect(world.app.errors.isEmpty, "\(world.app.errors)")
  }

  private final class World {
    private static let script = """
      Loan = class "Loan" { who = "", days = 1 }
      desk = shared("desk", { title = "Desk", loans = list {} })
      db:keep(desk)
      function shown()
        local all = { desk.title }
        for _, loan in ipairs(desk.loans) do all[#all + 1] = loan.who .. "/" .. loan.days end
        return table.concat(all, " ")
      end
      """

    private(set) var app: StoredApp
    private var desk: KeptDesk
    private var random: SeededGenerator
    private var story: [String] = []
    /// The rows that must be there, and those that must not.
    private var present: Set<String> = []
    private var gone: Set<String> = []
    /// By session, what it has written and not seen confirmed.
    private var unsure: [ObjectIdentifier: (added: Set<String>, removed: Set<String>)] = [:]

    init(_ seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      app = try StoredApp()
      desk = KeptDesk(app)
      try desk.join(Self.script)
    }

    private func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

    func step(_ step: Int) throws {
      switch number(below: 16) {
      case 0 where desk.sessions.count < 4:
        story.append("a session comes")
        try desk.join(Self.script)
        try check(desk.sessions.count - 1)
      case 1 where desk.sessions.count > 1:
        let index = number(below: desk.sessions.count)
        story.append("session \(index) goes")
        let id = ObjectIdentifier(desk.sessions[index])
        desk.leave(desk.sessions[index])
        // What it removes at its end may be refused, where somebody has changed the row meanwhile.
        present.subtract(unsure[id]?.removed ?? [])
        unsure[id]?.removed = []
        confirm(id)
      case 2:
        story.append("killed")
        try kill()
      case 3: try agree()
      case 4..<8: try take(number(below: desk.sessions.count))
      default: try write(step)
      }
    }

    private func write(_ step: Int) throws {
      let index = number(below: desk.sessions.count)
      let session = desk.sessions[index]
      let id = ObjectIdentifier(session)
      let count = try session.evaluate("#desk.loans", as: Int.self)
      let row = "desk.loans[\(number(below: max(1, count)) + 1)]"
      var script = "desk.title = 't\(step)'"
      switch number(below: 8) {
      case 0: break
      case 1 where count > 0:
        let name = try session.evaluate("\(row).who", as: String.self)
        script = "desk.loans:removeObject(\(row))"
        unsure[id, default: ([], [])].removed.insert(name)
      case 2 where count > 0, 3 where count > 0: script = "\(row).days = \(step)"
      case 4 where count > 1:
        script = "desk.loans:move(1, \(number(below: count) + 1))"
      case let choice:
        let place = choice == 7 ? number(below: count + 1) + 1 : count + 1
        script = "desk.loans:insert(\(place), Loan { who = 'n\(step)' })"
        unsure[id, default: ([], [])].added.insert("n\(step)")
      }
      story.append("\(index): \(script)")
      try session.evaluate(script, as: Value.self)
    }

    /// Lets a session take what there is, and notes what it sees confirmed.
    private func take(_ index: Int) throws {
      let session = desk.sessions[index]
      for _ in 0..<3 { session.turn(timeout: 0) }
      if try session.evaluate("desk.sync.pending", as: Int.self) == 0 {
        confirm(ObjectIdentifier(session))
      }
    }

    private func confirm(_ id: ObjectIdentifier) {
      guard let written = unsure.removeValue(forKey: id) else { return }
      gone.formUnion(written.removed)
      present = present.union(written.added).subtracting(gone)
    }

    /// Nothing is on its way any more.
    func agree() throws {
      for _ in 0..<4 {
        desk.deliver()
        for index in desk.sessions.indices { try take(index) }
      }
      let shown = try desk.sessions.map { try $0.evaluate("shown()", as: String.self) }
      #expect(Set(shown).count == 1, "\(shown)\n\(tale)")
      for index in desk.sessions.indices { try check(index) }
    }

    /// The last moments of what happened.
    private var tale: String { story.suffix(30).joined(separator: "\n") }

    private func check(_ index: Int) throws {
      let names = try desk.sessions[index].evaluate("names()", as: String.self)
        .split(separator: " ").map(String.init)
      #expect(Set(names).count == names.count, "twice: \(names)\n\(tale)")
      #expect(present.subtracting(names).isEmpty, "lost: \(present.subtracting(names))\n\(tale)")
      #expect(gone.isDisjoint(with: names), "back: \(gone.intersection(names))\n\(tale)")
    }

    /// Goes on with the files as they are at this moment, in another folder: what the old program does
    /// at its end does not reach them.
    func kill() throws {
      let next = try StoredApp()
      for name in ["desk.db", "desk.db-wal"] {
        let bytes = app.folder.readBytes(name)
        if !bytes.isEmpty { next.folder.write(bytes, to: name) }
      }
      desk.end()
      #expect(app.errors.isEmpty, "\(app.errors)\n\(tale)")
      (app, desk, unsure) = (next, KeptDesk(next), [:])
      try desk.join(Self.script)
      try check(0)
      // What nobody saw confirmed is there or not.
      let names = try desk.last.evaluate("names()", as: String.self)
      present = Set(names.split(separator: " ").map(String.init))
    }
  }
}
