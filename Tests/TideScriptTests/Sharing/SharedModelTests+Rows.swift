import Foundation
import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideLua

@testable import TideScript

extension SharedModelTests {
  @Test func `two who insert at once both keep their row`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    try group.all[0].evaluate("room.members:set { 'a', 'z' }", as: Value.self)
    group.deliver()
    try group.all[0].evaluate("room.members:insert(2, 'm')", as: Value.self)
    try group.all[1].evaluate("room.members:insert(2, 'n')", as: Value.self)
    group.deliver()
    let texts = try group.texts(Self.members)
    #expect(texts[0] == texts[1])
    #expect(texts[0].split(separator: " ").sorted() == ["a", "m", "n", "z"])
  }

  @Test func `rows that come at the end come in their order, whatever else happens`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    let steps = [
      "for n = 1, 5 do room.members:append('a' .. n) end", "room.members:remove(2)",
      "room.members:append('b') room.members:insert(1, 'c') room.members:append('d')",
      "batch(function() room.members:append('e') room.members:append('f') end)",
      "room.members:append('g') room.members:move(1, 3) room.members:append('h')",
      "room.members:append('h')", "room.members:set { 'i', 'a1', 'h' } room.members:append('j')",
    ]
    for (index, step) in steps.enumerated() {
      try group.all[index % 2].evaluate(step, as: Value.self)
      group.all[index % 2].settle()
      group.deliver()
      let texts = try group.texts(Self.members)
      #expect(texts[0] == texts[1], "\(step)")
      try group.all[1 - index % 2].evaluate("room.members:append('z\(index)')", as: Value.self)
      group.deliver()
    }
    #expect(try group.texts(Self.members).first == "i a1 h j z6")
  }

  @Test func `a row that comes at the end takes no longer where there are many`() throws {
    let group = SharingGroup()
    let runtime = try group.join(Self.room)
    func append() throws -> Double {
      let start = processorTime()
      try runtime.evaluate(
        "for n = 1, 200 do room.members:append(object { name = 'n' .. n }) end", as: Value.self)
      return processorTime() - start
    }
    // The first rows also create the caches.
    _ = try append()
    let few = try append()
    try runtime.evaluate(
      "batch(function() for n = 1, 8000 do room.members:append(object { name = 'm' .. n }) end end)",
      as: Value.self)
    let many = try append()
    // As long as all rows are compared, it is some fifty times as long.
    #expect(many < 10 * few + 0.1)
  }

  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `rows that are objects stay the same objects when others change them`() throws {
    let group = SharingGroup()
    let script = """
      Member = class "Member" { name = "", age = 0 }
      room = shared("room", { members = list {} })
      """
    for _ in 0..<2 { try group.join(script) }
    try group.all[0].evaluate("room.members:append(Member { name = 'ann' })", as: Value.self)
    group.deliver()
    try group.all[1].evaluate("kept = room.members[1]", as: Value.self)
    try group.all[0].evaluate("room.members[1].age = 7", as: Value.self)
    group.deliver()
    #expect(try group.all[1].evaluate("kept.age", as: Int.self) == 7)
    #expect(try group.all[1].evaluate("kept == room.members[1]", as: Bool.self))
  }

  @Test func `a list that was emptied stays so for who comes later`() throws {
    let group = SharingGroup()
    let script = "room = shared('room', { members = list { 'ann' } })"
    try group.join(script)
    try group.all[0].evaluate("room.members:clear()", as: Value.self)
    group.deliver()
    try group.join(script)
    group.deliver()
    #expect(try group.all.map { try $0.evaluate("#room.members", as: Int.self) } == [0, 0])
  }

  @Test func `an object that stands in a list twice is edited in both places`() throws {
    let group = SharingGroup()
    let script = """
      Member = class "Member" { name = "" }
      room = shared("room", { members = list {} })
      """
    for _ in 0..<2 { try group.join(script) }
    try group.all[0].evaluate(
      "ann = Member { name = 'ann' } room.members:append(ann, ann)", as: Value.self)
    group.deliver()
    try group.all[1].evaluate("room.members[1].name = 'eve'", as: Value.self)
    group.deliver()
    #expect(try group.all[0].evaluate("room.members[1].name", as: String.self) == "eve")
  }
}
