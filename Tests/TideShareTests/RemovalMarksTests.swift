import NatsServers
import Testing
import TideBindings
import TideScript

@testable import TideShare

/// Marks of removed rows at a server: they go after some time, and nobody misses a removal by that.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RemovalMarksTests {
  private static let room = """
    room = shared("room", { title = "", members = list {} })
    function members() return table.concat(room.members:totable(), " ") end
    """

  private func messages(_ administrator: Administrator) -> Int {
    let answer = administrator.ask("$JS.API.STREAM.INFO.KV_tests")
    return answer.firstMatch(of: /"messages":(\d+)/).flatMap { Int($0.output.1) } ?? .max
  }

  @Test func `marks that are old enough are deleted together`() {
    var marks = RemovalMarks()
    for revision in 1...4 { marks.note(revision, at: Double(revision)) }
    #expect(marks.takeOld(10, at: 12).isEmpty)
    // The oldest is older than it has to be; those go with it that are old enough.
    #expect(marks.takeOld(10, at: 13.5).map(\.revision) == [1, 2, 3])
    #expect(marks.takeOld(10, at: 14.5).isEmpty)
    #expect(marks.takeOld(10, at: 16).map(\.revision) == [4])
  }

  @Test func `marks that were not deleted are the oldest again`() {
    var marks = RemovalMarks()
    for revision in 1...4 { marks.note(revision, at: Double(revision)) }
    let old = marks.takeOld(10, at: 13.5)
    marks.note(5, at: 5)
    marks.putBack(old.dropFirst())
    #expect(marks.takeOld(10, at: 20).map(\.revision) == [2, 3, 4, 5])
  }

  @Test func `a horizon is no key of a model`() {
    let stream = JetStream(bucket: "tests")
    let subject = stream.horizonSubject(ofModel: "room")
    #expect(JetStream.key(ofSubject: subject) == nil)
    var marks = RemovalMarks()
    #expect(marks.noteHorizon(Array("17".utf8), 20) == 17)
    #expect(marks.horizon == 17 && marks.horizonRevision == 20)
    // One of the future would be kept for good, and have all begin anew again and again.
    for wrong in ["", "x", "-3", "1e9", "21", "\(Int.max)"] {
      #expect(marks.noteHorizon(Array(wrong.utf8), 21) == nil, "\(wrong)")
      #expect(marks.horizon == 0 && marks.horizonRevision == 21, "\(wrong)")
    }
    #expect(marks.noteHorizon(Array("20".utf8), 21) == 20)
  }

  @Test func `the marks of rows that were removed long ago go, and all go on`() throws {
    let world = SharingWorld(try NatsServer("jetstream {}"))
    for _ in 0..<2 { try world.join(Self.room) { $0.ageOfMarks = 0.3 } }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate(
      "for i = 1, 30 do room.members:append('m' .. i) end", as: Value.self)
    #expect(try world.comes("#room.members .. room.sync.pending", to: "300"))
    try world.all[1].evaluate("room.members:clear()", as: Value.self)
    #expect(try world.comes("#room.members .. room.sync.pending", to: "00"))
    let administrator = try Administrator(world.server)
    #expect(messages(administrator) > 30)
    var turns = 0
    // By what is written later the time is known; the model and its horizon stay.
    let areGone = try world.turn(seconds: 40) {
      turns += 1
      try world.all[0].evaluate("room.title = '\(turns)'", as: Value.self)
      return messages(administrator) <= 2
    }
    #expect(areGone)
    try world.all[0].evaluate("room.title = 'end' room.members:append('ann')", as: Value.self)
    try world.join(Self.room)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "endann0"))
  }

  @Test func `who has not heard of deleted marks gets the whole model again`() throws {
    let world = SharingWorld(try NatsServer("jetstream {}"))
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.members:append('ann')", as: Value.self)
    #expect(try world.comes("members() .. room.sync.pending", to: "ann0"))
    let administrator = try Administrator(world.server)
    let answer = administrator.ask(
      "$JS.API.STREAM.INFO.KV_tests", "{\"subjects_filter\":\"$KV.tests.room.members.*\"}")
    let row = try #require(answer.firstMatch(of: /"(\$KV\.tests\.room\.members\.\w+)"/))
    // As after a removal whose mark is gone by now.
    let purge = administrator.ask(
      "$JS.API.STREAM.PURGE.KV_tests", "{\"filter\":\"\(row.output.1)\"}")
    #expect(purge.contains("\"success\":true"), "\(purge)")
    let stream = JetStream(bucket: "tests")
    administrator.ask(stream.horizonSubject(ofModel: "room"), "\(Int.max)")
    try world.all[0].evaluate("room.title = 'next'", as: Value.self)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "nextann0"))
    // Of what another model has the room hears nothing.
    let other = administrator.ask(stream.subject(.model, ofModel: "other"), "{}")
    let last = try #require(other.firstMatch(of: /"seq":\s*(\d+)/)).output.1
    administrator.ask(stream.horizonSubject(ofModel: "room"), String(last))
    #expect(try world.comes("members() .. room.sync.state", to: "live"))
    try world.all[1].evaluate("room.members:append('bob')", as: Value.self)
    #expect(try world.comes("members() .. room.sync.pending", to: "bob0"))
  }
}
