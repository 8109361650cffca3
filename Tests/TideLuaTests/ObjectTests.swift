import Fuzzing
import CTideLua
import CTideSlots
import Testing
@testable import TideLua

@Suite(.serialized) struct `Data objects` {
  @Test func `properties are read and written in their slots`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    let long = Engine.names[7]
    #expect(
      try engine.run("return t.number, t.text, t.flag, t.any, t.whole, t.\(long)")
        == [1.5, "start", false, nil, 7, 60])
    _ = try engine.run(
      "t.number = 3 t.text = 'tëxt' t.flag = true t.any = 'x' t.whole = 8 t.\(long) = 2.5")
    #expect(thing[0].pointee.tag == UInt8(TIDE_INTEGER))
    #expect(thing[0].pointee.lo == 3)
    #expect(thing.text(1) == "tëxt")
    #expect(thing[2].pointee.lo == 1)
    #expect(thing[7].pointee.lo == (2.5).bitPattern)
    #expect(try engine.run("t.any = nil return t.text, t.any, t.number") == ["tëxt", nil, 3])
    withExtendedLifetime(thing) {}
  }

  @Test func `text goes both ways whoever wrote last`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    for index in 0..<200 {
      let text = String(repeating: "é\0", count: index % 60) + "\(index)"
      thing.setText(1, text)
      #expect(try engine.run("return t.text, t.text") == [.string(text), .string(text)])
      _ = try engine.run("t.text = t.text .. '!'")
      #expect(thing.text(1) == text + "!")
      #expect(try engine.run("local x = t.text t.text = x return t.text == x") == [true])
    }
    _ = try engine.run("t.text = '\\xff'")
    #expect(try engine.run("return t.text") == [.bytes([0xff])])
    withExtendedLifetime(thing) {}
  }

  @Test func `cached strings never go stale over thousands of objects`() throws {
    let engine = try Engine()
    let things = (0..<300).map { _ in engine.make() }
    for (index, thing) in things.enumerated() { try engine.give(thing, as: "t\(index)") }
    var random = SeededGenerator(seed: 11)
    for round in 0..<3000 {
      let index = Int.random(in: 0..<300, using: &random)
      if Bool.random(using: &random) {
        things[index].setText(1, "swift \(round)")
      } else {
        _ = try engine.run("t\(index).text = 'lua \(round)'")
      }
      let other = Int.random(in: 0..<300, using: &random)
      #expect(try engine.run("return t\(other).text").first?.string == things[other].text(1))
      if round % 500 == 0 { engine.state?.collectGarbage() }
    }
  }

  @Test func `an observed slot tells the host of changes only`() throws {
    let engine = try Engine()
    let thing = engine.make()
    thing[0].pointee.access = UInt8(TIDE_OBSERVED)
    try engine.give(thing, as: "t")
    _ = try engine.run("t.number = 4 t.number = 4 t.number = 5 t.number = 0/0 t.number = 0/0")
    #expect(engine.changes.prefix(2) == [4, 5])
    #expect(engine.changes.count == 3)
    withExtendedLifetime(thing) {}
  }

  @Test func `a derived slot, or recording, asks the host first`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    thing[5].pointee.access = UInt8(TIDE_DERIVED)
    _ = try engine.run("return t.number, t.whole")
    #expect(engine.prepared == 1)
    engine.arena.pointee.active = 3
    _ = try engine.run("return t.number, t.whole")
    #expect(engine.prepared == 3)
    withExtendedLifetime(thing) {}
  }

  @Test func `what does not fit goes to the host`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    for source in [
      "t.number = 'x'", "t.text = 3", "t.flag = nil", "t.whole = 1.5", "t.fixed = 2",
      "t.number = {}",
    ] {
      let error = #expect(throws: LuaError.self) { try engine.run(source) }
      #expect(error?.cause is Unknown, "\(source)")
    }
    #expect(throws: LuaError.self) { try engine.run("t.nonsense = 1") }
    let error = #expect(throws: LuaError.self) { try engine.run("\nreturn t.nonsense") }
    #expect(error?.description == "t:2: no property 'nonsense'")
    withExtendedLifetime(thing) {}
  }

  @Test func `methods, integer keys, length and text`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    let state = try #require(engine.state)
    let methods = try state.methods(ofClass: 1)
    try methods.rawSet(
      "double", try engine.run("return function(self) return self.number * 2 end")[0])
    engine.lists = [1: "one", 2: "two"]
    #expect(
      try engine.run("return t:double(), t[1], t[2], t[3], #t, tostring(t)") == [
        3.0, "one", "two", nil, 2, "thing!",
      ])
    _ = try engine.run(
      "t[3] = 'three' local s = '' for i, v in ipairs(t) do s = s .. v end all = s")
    #expect(try state.globals["all"] == "onetwothree")
    #expect(try engine.run("return getmetatable(t)") == [false])
    withExtendedLifetime(thing) {}
  }

  @Test func `a subclass inherits methods`() throws {
    let engine = try Engine()
    let state = try #require(engine.state)
    let base = try state.defineClass(4, name: "Base", properties: ["a"])
    let derived = try state.defineClass(5, name: "Derived", properties: ["a", "b"], parent: 4)
    let thing = engine.make()
    thing.header.pointee.body = 5
    try engine.give(thing, as: "t")
    try base.rawSet("who", try engine.run("return function() return 'base' end")[0])
    #expect(try engine.run("return t:who()") == ["base"])
    try derived.rawSet("who", try engine.run("return function() return 'derived' end")[0])
    #expect(try engine.run("return t:who()") == ["derived"])
    withExtendedLifetime(thing) {}
  }

  @Test func `an object is always the same value, and dies with its owner`() throws {
    let engine = try Engine()
    var thing: Thing? = engine.make()
    let other = engine.make()
    try engine.give(try #require(thing), as: "t")
    try engine.give(other, as: "other")
    #expect(
      try engine.run(
        "other.object = t keys = { [t] = 'key' } return other.object == t, keys[other.object]") == [
          true, "key",
        ])
    engine.state?.collectGarbage()
    #expect(try engine.run("return other.object == t") == [true])
    let slot = other[4]
    slot.pointee.tag = UInt8(TIDE_NIL)
    thing = nil
    let error = #expect(throws: LuaError.self) { try engine.run("return t.number") }
    #expect(error?.message == "Thing has been disposed of")
    #expect(throws: LuaError.self) { try engine.run("t.number = 1") }
    #expect(throws: LuaError.self) { try engine.run("return #t") }
    #expect(try engine.run("return tostring(t)") == ["Thing (disposed of)"])
    withExtendedLifetime(other) {}
  }

  @Test func `Lua keeps what it adopts until it is collected`() throws {
    let before = Thing.live
    let engine = try Engine()
    engine.adopts = true
    for _ in 0..<100 { try engine.give(engine.make(), as: "t") }
    #expect(try engine.run("return t.number") == [1.5])
    #expect(Thing.live == before + 100)
    engine.state?.collectGarbage()
    engine.state?.collectGarbage()
    #expect(Thing.live == before + 1)
    engine.state?.close()
    #expect(Thing.live == before)
  }

  @Test func `slots as arguments and results of calls`() throws {
    let engine = try Engine()
    let (from, to) = (engine.make(), engine.make())
    let shout = try #require(
      try engine.run("return function(v) return type(v) == 'string' and v:upper() or v * 2 end")[0]
        .function)
    var left: [Double] = []
    func carry(_ source: Int) throws -> Bool {
      try shout.call(from: from[source], to: to[1]) { result in
        left.append(result.cell.number)
        return false
      }
    }
    #expect(try carry(1))
    #expect(to.text(1) == "START")
    #expect(try !carry(1))
    #expect(try shout.call(with: from[0]).cell.number == 3)
    // A number for a text is left to the host.
    #expect(try !carry(0))
    #expect(left == [3])
    let echo = try #require(try engine.run("return function(v) return { v } end")[0].function)
    #expect(try echo.call(with: from[1]).value().table?[1] == "start")
    let fail = try #require(try engine.run("return error")[0].function)
    for _ in 0..<100 {
      #expect(throws: LuaError.self) { _ = try fail.call(with: from[1]).cell.tag }
    }
    var cells = [TideValue(), TideValue()]
    cells[0].tag = UInt32(TIDE_LUA_SLOT)
    cells[0].slot = from[1]
    let both = try #require(try engine.run("return function(a, b) return a, b end")[0].function)
    let tag = try cells.withUnsafeBufferPointer { try both.call(with: $0).cell.tag }
    #expect(tag == UInt32(TIDE_LUA_TEXT))
    withExtendedLifetime((from, to)) {}
  }

  @Test func `a later state on the same arena ignores the numbers of an earlier one`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    #expect(try engine.run("return t.text") == ["start"])
    engine.state?.close()
    let next = try LuaState()
    engine.state = next
    next.setObjectHooks(makeHooks(Unmanaged.passUnretained(engine).toOpaque()))
    let other = engine.make()
    other.setText(1, "other")
    try engine.give(other, as: "o")
    try engine.give(thing, as: "t")
    #expect(
      try engine.run("return o.text, t.text, o.text, t == t, o == t") == [
        "other", "start", "other", true, false,
      ])
    withExtendedLifetime((thing, other)) {}
  }

  @Test func `two states on one arena never mix their strings`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    let second = try LuaState()
    second.setObjectHooks(makeHooks(Unmanaged.passUnretained(engine).toOpaque()))
    for index in 0..<50 {
      thing.setText(1, "v\(index)")
      #expect(try engine.run("return t.text") == [.string("v\(index)")])
      engine.state.map { first in
        engine.state = second
        try? second.globals.rawSet("t", .object(LuaObject(thing.header)))
        #expect(
          (try? second.run("local x = t.text t.text = x .. '!' return x, t.text", name: "=s"))
            == [.string("v\(index)"), .string("v\(index)!")])
        engine.state = first
      }
      #expect(try engine.run("return t.text") == [.string("v\(index)!")])
    }
    second.close()
    withExtendedLifetime(thing) {}
  }
}
