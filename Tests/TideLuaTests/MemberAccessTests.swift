import Testing
import TideLua
import TideValues

@Suite struct `Properties that scripts read and write` {
  final class Body: TideConvertible {
    var mass = 1.5
    var count = 3
    var isFixed = false
    var name = "rock"
    var part: Part? = Part()
  }
  final class Part: TideConvertible {
    nonisolated(unsafe) static var conversions = 0
    func toValue() throws -> Value {
      Self.conversions += 1
      return .object(self)
    }
  }
  struct Refused: Error {}

  private let state: LuaState
  private static var description: LuaUserType<Body> {
    let type = LuaUserType<Body>("Body")
    type.property("mass") {
      $0.mass
    } set: {
      $0.mass = $1
    }
    type.property("count") {
      $0.count
    } set: {
      $0.count = $1
    }
    type.property("isFixed") {
      $0.isFixed
    } set: {
      $0.isFixed = $1
    }
    type.property("name") {
      $0.name
    } set: {
      $0.name = $1
    }
    type.property("part") { $0.part }
    type.property("broken") { (_: Body) throws -> Int in throw Refused() }
    type.method("push") { (body: Body, force: Double) in force / body.mass }
    return type
  }

  init() throws {
    state = try LuaState()
    try state.register(Self.description)
    try state.globals.set("body", to: Body())
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `keep numbers, flags and texts as they are`() throws {
    let results = try state.run(
      """
      body.mass, body.count, body.isFixed, body.name = 2.5, 7, true, "größe"
      return body.mass, body.count, body.isFixed, body.name, body:push(5)
      """, name: "=t")
    #expect(results == [2.5, 7, true, "größe", 2])
    #expect(try state.run("return math.type(body.mass)", name: "=t") == ["float"])
  }

  @Test func `take what converts to their type, and nothing else`() throws {
    let kinds = try state.run(
      "body.mass, body.count = 4, 4.0 return math.type(body.mass), math.type(body.count)",
      name: "=t")
    #expect(kinds == ["float", "integer"])
    #expect(
      message("body.mass = '4'")
        == "a.lua:1: bad value for Body.mass (number expected, got string)")
    #expect(
      message("body.mass = (1 << 53) + 1")
        == "a.lua:1: bad value for Body.mass (9007199254740993 does not fit Double)")
    #expect(message("body.count = 1.5").contains("a.lua:1: bad value for Body.count"))
    #expect(message("body.isFixed = 1").contains("a.lua:1: bad value for Body.isFixed"))
    #expect(message("body.isFixed = nil").contains("a.lua:1: bad value for Body.isFixed"))
  }

  @Test func `blame the line of the script`() {
    #expect(message("\nlocal x = body.broken").hasPrefix("a.lua:2: "))
    #expect(message("\n\nbody.broken = 1") == "a.lua:3: Body.broken is read only")
    #expect(message("\nreturn body.mas") == "a.lua:2: Body has no property or method 'mas'")
  }

  @Test func `have names alone`() {
    #expect(message("return body[nil]").contains("Body has no property or method 'nil'"))
    #expect(message("return body[0/0]").contains("Body has no property or method"))
    #expect(message("body[nil] = 1").contains("Body has no property 'nil'"))
    #expect(message("return body[body]").contains("Body has no property or method 'Body: "))
  }

  @Test func `name themselves where their object is gone`() throws {
    var lent: Body? = Body()
    try lent.map { try state.globals.set("lent", .userdata(state.userdata(lending: $0))) }
    lent = nil
    #expect(message("return lent.mass").contains("bad argument #1 to 'mass' (the Body is gone)"))
    #expect(message("lent.mass = 1").contains("bad argument #1 to 'mass' (the Body is gone)"))
  }

  @Test func `convert an object once`() throws {
    Part.conversions = 0
    #expect(try state.run("return body.part == body.part", name: "=t") == [true])
    #expect(Part.conversions == 2)
  }

  @Test func `go on while their type is registered anew`() throws {
    let type = LuaUserType<Body>("Body")
    let other = Self.description
    type.property("mass") { [unowned state] (body: Body) throws -> Double in
      try state.register(other)
      state.collectGarbage()
      return body.mass
    }
    try state.register(type)
    try state.globals.set("fresh", to: Body())
    #expect(try state.run("return fresh.mass", name: "=t") == [1.5])
  }

  @Test func `are read while a coroutine runs`() throws {
    let read = "coroutine.wrap(function() coroutine.yield(body.mass) end)()"
    #expect(try state.evaluate(read, as: Double.self) == 1.5)
  }
}
