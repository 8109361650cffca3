import CTideLua
import CTideSlots
import Testing
@testable import TideLua

typealias Slot = UnsafeMutablePointer<TideSlot>

/// A hand-made engine: objects whose slots lie in an arena, without any graph behind them.
final class Engine {
  let arena: UnsafeMutablePointer<TideArena>
  var state: LuaState?
  var changes: [Int] = []
  var prepared = 0
  var adopts = false
  var lists: [Int: LuaValue] = [:]
  var refusesWrites = false

  static let names = [
    "number", "text", "flag", "any", "object", "whole", "fixed",
    String(repeating: "long", count: 15),
  ]

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

  /// Takes the next slots of the arena, which begins with room for few.
  fileprivate func take(slots count: UInt32) -> Slot {
    let first = arena.pointee.slotCount
    precondition(tide_arena_grow_slots(arena, UInt64(first) + UInt64(count)), "no memory")
    arena.pointee.slotCount = first + count
    return arena.pointee.slots + Int(first)
  }

  func run(_ source: String) throws -> [LuaValue] {
    try #require(state).run(source, name: "=t")
  }

  func give(_ thing: Thing, as name: String) throws {
    try #require(state).globals.rawSet(.string(name), .object(LuaObject(thing.header)))
  }
}

/// An object of the engine. The test's blocks are never used again.
final class Thing {
  static nonisolated(unsafe) var live = 0
  let header: Slot
  // Its slots lie in the engine's memory.
  private let engine: Engine

  init(in engine: Engine) {
    self.engine = engine
    Thing.live += 1
    let count = Engine.names.count + 1
    header = engine.take(slots: UInt32(count))
    for index in 0..<count { (header + index).pointee.kind = UInt8(TIDE_SOURCE) }
    header.pointee.kind = UInt8(TIDE_HEADER)
    header.pointee.generation = 1
    header.pointee.body = 1
    header.pointee.lo = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    let types = [
      TIDE_TYPE_NUMBER, TIDE_TYPE_STRING, TIDE_TYPE_BOOLEAN, TIDE_TYPE_ANY | TIDE_NULLABLE,
      TIDE_TYPE_OBJECT | TIDE_NULLABLE, TIDE_TYPE_INTEGER, TIDE_TYPE_NUMBER, TIDE_TYPE_NUMBER,
    ]
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
      guard let bytes = UnsafePointer<TideBytes>(bitPattern: UInt(self[index].pointee.lo)) else {
        return nil
      }
      let start = UnsafeRawPointer(bytes) + MemoryLayout<TideBytes>.size
      return String(
        decoding: UnsafeRawBufferPointer(start: start, count: Int(bytes.pointee.count)),
        as: UTF8.self)
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
    UnsafeMutablePointer<TideBytes>(bitPattern: UInt(slot.pointee.lo)).map {
      tide_bytes_release($0)
    }
  }
  slot.pointee.tag = UInt8(TIDE_NIL)
  slot.pointee.lo = 0
  slot.pointee.hi = 0
}

struct Unknown: Error, CustomStringConvertible {
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

func makeHooks(_ context: UnsafeMutableRawPointer) -> LuaObjectHooks {
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
      throw Unknown(name: try call.stringIfAny(1) ?? "?")
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
