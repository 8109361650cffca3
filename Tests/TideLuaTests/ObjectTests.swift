import CTideLua
import CTideSlots
import Testing
@testable import TideLua

private typealias Slot = UnsafeMutablePointer<TideSlot>

/// A hand-made engine: objects whose slots lie in an arena, without any graph behind them.
private final class Engine {
  let arena: UnsafeMutablePointer<TideArena>
  var state: LuaState?
  var changes: [Int] = []
  var prepared = 0
  var adopts = false
  var lists: [Int: LuaValue] = [:]
  var refusesWrites = false

  static let names = ["number", "text", "flag", "any", "object", "whole", "fixed", String(repeating: "long", count: 15)]

  init() throws {
    arena = try #require(tide_arena_reserve())
    let state = try LuaState()
    self.state = state
    state.setObjectHooks(makeHooks(Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    state?.close()
    tide_arena_release(arena)
  }

  func make() -> Thing { Thing(in: self) }

  func run(_ source: String) throws -> [LuaValue] {
    try #require(state).run(source, name: "=t")
  }

  func give(_ thing: Thing, as name: String) throws {
    try #require(state).globals.rawSet(.string(name), .object(LuaObject(thing.header)))
  }
}

/// An object of the engine. The test's blocks are never used again.
private final class Thing {
  static nonisolated(unsafe) var live = 0
  let header: Slot
  // Its slots lie in the engine's memory.
  private let engine: Engine

  init(in engine: Engine) {
    self.engine = engine
    Thing.live += 1
    let count = Engine.names.count + 1
    header = engine.arena.pointee.slots + Int(engine.arena.pointee.slotCount)
    engine.arena.pointee.slotCount += UInt32(count)
    for index in 0..<count { (header + index).pointee.kind = UInt8(TIDE_SOURCE) }
    header.pointee.kind = UInt8(TIDE_HEADER)
    header.pointee.generation = 1
    header.pointee.body = 1
    header.pointee.lo = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    let types = [TIDE_TYPE_NUMBER, TIDE_TYPE_STRING, TIDE_TYPE_BOOLEAN, TIDE_TYPE_ANY | TIDE_NULLABLE,
      TIDE_TYPE_OBJECT | TIDE_NULLABLE, TIDE_TYPE_INTEGER, TIDE_TYPE_NUMBER, TIDE_TYPE_NUMBER]
    for (index, type) in types.enumerated() { self[index].pointee.type = UInt8(type) }
    set(0, TIDE_NUMBER, (1.5).bitPattern)
    setText(1, "start")
    set(2, TIDE_BOOLEAN, 0)
    set(5, TIDE_INTEGER, 7)
    set(6, TIDE_INTEGER, 1)
    self[6].pointee.access = UInt8(TIDE_READONLY)
    set(7, TIDE_INTEGER, 60)
  }

  deinit {
    Thing.live -= 1
    for index in Engine.names.indices { releaseText(self[index]) }
    header.pointee.generation += 1
  }

  subscript(index: Int) -> Slot { header + (index + 1) }

  func set(_ index: Int, _ tag: Int, _ bits: UInt64) {
    self[index].pointee.tag = UInt8(tag)
    self[index].pointee.lo = bits
  }

  /// Stores text as Swift does.
  func setText(_ index: Int, _ text: String) {
    releaseText(self[index])
    UnsafeMutableRawPointer(self[index]).initializeMemory(as: String.self, to: text)
    self[index].pointee.tag = UInt8(TIDE_STRING)
  }

  /// Reads text whoever wrote it.
  func text(_ index: Int) -> String? {
    switch Int(self[index].pointee.tag) {
    case TIDE_STRING:
      return UnsafeMutableRawPointer(self[index]).assumingMemoryBound(to: String.self).pointee
    case TIDE_BYTES:
      guard let bytes = UnsafePointer<TideBytes>(bitPattern: UInt(self[index].pointee.lo)) else { return nil }
      let start = UnsafeRawPointer(bytes) + MemoryLayout<TideBytes>.size
      return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(bytes.pointee.count)), as: UTF8.self)
    default: return nil
    }
  }
}

private func releaseText(_ slot: Slot) {
  if slot.pointee.cache != 0 {
    tide_arena_bury(tide_arena_of(slot), slot.pointee.cache)
    slot.pointee.cache = 0
  }
  if Int(slot.pointee.tag) == TIDE_STRING {
    UnsafeMutableRawPointer(slot).assumingMemoryBound(to: String.self).deinitialize(count: 1)
  } else if Int(slot.pointee.tag) == TIDE_BYTES {
    UnsafeMutablePointer<TideBytes>(bitPattern: UInt(slot.pointee.lo)).map { tide_bytes_release($0) }
  }
  slot.pointee.tag = UInt8(TIDE_NIL)
  slot.pointee.lo = 0
  slot.pointee.hi = 0
}

private struct Unknown: Error, CustomStringConvertible {
  var name: String
  var description: String { "no property '\(name)'" }
}

private func engine(_ context: UnsafeMutableRawPointer?) -> Engine? {
  context.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() }
}

private func answer(
  _ context: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<TideCall>,
  _ body: (Engine, borrowing LuaCall) throws -> Void
) -> Int32 {
  guard let engine = engine(context), let state = engine.state else { return Int32(TIDE_FAILED) }
  let call = LuaCall(call, in: state)
  do {
    try body(engine, call)
    return Int32(TIDE_OK)
  } catch {
    return state.fail(error)
  }
}

private func makeHooks(_ context: UnsafeMutableRawPointer) -> LuaObjectHooks {
  var hooks = LuaObjectHooks()
  hooks.context = context
  hooks.prepare = { context, slot in
    engine(context)?.prepared += 1
    return Int32(TIDE_OK)
  }
  hooks.text = { _, slot, text in
    let string = UnsafeMutableRawPointer(slot).assumingMemoryBound(to: String.self).pointee
    return LuaText.put(string, in: text) ? Int32(TIDE_OK) : Int32(TIDE_FAILED)
  }
  hooks.release = { _, slot in releaseText(slot) }
  hooks.changed = { context, slot in
    engine(context)?.changes.append(Int(Int64(bitPattern: slot.pointee.lo)))
    return Int32(TIDE_OK)
  }
  hooks.write = { context, slot, call in
    answer(context, call) { engine, call in
      if engine.refusesWrites || Int(slot.pointee.access) & TIDE_READONLY != 0 {
        throw Unknown(name: "refused " + call.typeName(2))
      }
      if let object = call.object(2) {
        let found = UnsafeRawPointer(bitPattern: UInt(object.header.pointee.lo))
        slot.pointee.tag = UInt8(TIDE_OBJECT)
        slot.pointee.lo = UInt64(UInt(bitPattern: found))
        slot.pointee.hi = UInt64(UInt(bitPattern: object.header))
      } else {
        throw Unknown(name: "refused " + call.typeName(2))
      }
    }
  }
  hooks.index = { context, header, call in
    answer(context, call) { engine, call in
      if call.tag(1) == TIDE_LUA_INTEGER {
        return call.return(engine.lists[try call.integer(1)] ?? .nil)
      }
      throw Unknown(name: call.stringIfAny(1) ?? "?")
    }
  }
  hooks.newindex = { context, header, call in
    answer(context, call) { engine, call in
      guard call.tag(1) == TIDE_LUA_INTEGER else { throw Unknown(name: try call.string(1)) }
      engine.lists[try call.integer(1)] = try call.value(2)
    }
  }
  hooks.length = { context, header, call in
    answer(context, call) { engine, call in call.return(engine.lists.count) }
  }
  hooks.describe = { context, header, call in
    answer(context, call) { engine, call in call.return("thing!") }
  }
  hooks.define = { context, number in
    guard let state = engine(context)?.state else { return Int32(TIDE_FAILED) }
    return state.status {
      try state.defineClass(number, name: "Thing", properties: Engine.names)
    }
  }
  hooks.adopt = { context, header in
    guard engine(context)?.adopts == true,
      let object = UnsafeRawPointer(bitPattern: UInt(header.pointee.lo))
    else { return false }
    _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
    return true
  }
  return hooks
}

@Suite(.serialized) struct `Data objects` {
  @Test func `properties are read and written in their slots`() throws {
    let engine = try Engine()
    let thing = engine.make()
    try engine.give(thing, as: "t")
    let long = Engine.names[7]
    #expect(
      try engine.run("return t.number, t.text, t.flag, t.any, t.whole, t.\(long)")
        == [1.5, "start", false, nil, 7, 60])
    _ = try engine.run("t.number = 3 t.text = 'tëxt' t.flag = true t.any = 'x' t.whole = 8 t.\(long) = 2.5")
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
    var random = Generator(state: 11)
    for round in 0..<3000 {
      let index = Int.random(in: 0..<300, using: &random)
      if Bool.random(using: &random) { things[index].setText(1, "swift \(round)") }
      else { _ = try engine.run("t\(index).text = 'lua \(round)'") }
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
    for source in ["t.number = 'x'", "t.text = 3", "t.flag = nil", "t.whole = 1.5", "t.fixed = 2", "t.number = {}"] {
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
    try methods.rawSet("double", try engine.run("return function(self) return self.number * 2 end")[0])
    engine.lists = [1: "one", 2: "two"]
    #expect(try engine.run("return t:double(), t[1], t[2], t[3], #t, tostring(t)") == [3.0, "one", "two", nil, 2, "thing!"])
    _ = try engine.run("t[3] = 'three' local s = '' for i, v in ipairs(t) do s = s .. v end all = s")
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
    #expect(try engine.run("other.object = t keys = { [t] = 'key' } return other.object == t, keys[other.object]") == [true, "key"])
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
    let shout = try #require(try engine.run("return function(v) return type(v) == 'string' and v:upper() or v * 2 end")[0].function)
    #expect(try shout.call(with: from[1]).store(in: to[1]) == true)
    #expect(to.text(1) == "START")
    #expect(try shout.call(with: from[1]).store(in: to[1]) == false)
    #expect(try shout.call(with: from[0]).cell.number == 3)
    #expect(try shout.call(with: from[0]).store(in: to[1]) == nil)
    let echo = try #require(try engine.run("return function(v) return { v } end")[0].function)
    #expect(try echo.call(with: from[1]).value().table?[1] == "start")
    let fail = try #require(try engine.run("return error")[0].function)
    for _ in 0..<100 { #expect(throws: LuaError.self) { _ = try fail.call(with: from[1]).cell.tag } }
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
    #expect(try engine.run("return o.text, t.text, o.text, t == t, o == t") == ["other", "start", "other", true, false])
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
