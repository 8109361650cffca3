import Testing
import TideLua

@Suite struct `Swift values that scripts hold` {
  struct Vector: LuaStruct, Equatable, Codable {
    var x = 0.0, y = 0.0
    mutating func scale(by factor: Double) {
      x *= factor
      y *= factor
    }
  }
  struct Refused: Error {}
  final class Body: TideConvertible {
    var position = Vector(), path = [Vector()], named = ["a": 1]
  }
  final class Kept { var vector = Vector(), function: LuaFunction? }

  private let state: LuaState
  private let kept = Kept()

  init() throws {
    state = try LuaState()
    let kept = kept
    let type = LuaUserType<Vector>("Vector")
    type.property("x", \.x)
    type.property("y") {
      $0.y
    } set: { (vector: inout Vector, y: Double) in
      guard y >= 0 else { throw Refused() }
      vector.y = y
    }
    type.property("sum") { $0.x + $0.y }
    type.method("plus") { (left: Vector, right: Vector) in
      Vector(x: left.x + right.x, y: left.y + right.y)
    }
    type.mutating("scale") { (vector: inout Vector, factor: Double) in vector.scale(by: factor) }
    type.mutating("fail") { (vector: inout Vector) in
      vector.x = 99
      throw Refused()
    }
    type.mutating("within") { (vector: inout Vector, body: LuaFunction) in
      vector.x = try body.call(as: Double.self)
      return vector.x
    }
    type.function("new") { (x: Double, y: Double) in Vector(x: x, y: y) }
    type.constant("zero", Vector())
    type.constant("limits", ["most": 9])
    type.operator(.equal) { (left: Vector, right: Vector) in left == right }
    try state.register(type)
    let bodies = LuaUserType<Body>("Body")
    bodies.property("position") {
      $0.position
    } set: { (body: Body, position: Vector) in
      guard position.x >= 0 else { throw Refused() }
      body.position = position
    }
    bodies.property("path", \.path)
    bodies.property("named", \.named)
    bodies.property("fixed") { _ in Vector() }
    try state.register(bodies)
    try state.register("keep") { (vector: Vector) in kept.vector = vector }
    try state.register("give") { kept.vector }
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `change in place`() throws {
    let results = try state.run(
      """
      local v = Vector.new(1, 2)
      local same = v
      v.x = 3
      v:scale(2)
      same.y = 5
      return v.x, v.y, v.sum, rawequal(v, same), v:plus(v).x
      """, name: "=t")
    #expect(results == [6, 5, 11, true, 12])
  }

  @Test func `are copied on their way to Swift and back`() throws {
    try state.run("v = Vector.new(1, 2) keep(v) v.x = 9", name: "=t")
    #expect(kept.vector == Vector(x: 1, y: 2))
    kept.vector.x = 5
    #expect(try state.run("local a = give() a.x = 7 return a.x, give().x", name: "=t") == [7, 5])
    #expect(try state.evaluate("v", as: Vector.self) == Vector(x: 9, y: 2))
    #expect(try state.evaluate("{ v, v }", as: [Vector].self).count == 2)
    #expect(try state.evaluate("Vector.new(1, 2) == Vector.new(1, 2)", as: Bool.self))
  }

  @Test func `are the same constant whatever a script does to one that it read`() throws {
    #expect(message("Vector.zero.x = 5").contains("Vector.zero is read only"))
    #expect(message("local z = Vector.zero z:scale(2)").contains("Vector.zero is read only"))
    #expect(message("Vector.limits.most = 5").contains("Vector.limits is read only"))
    let results = try state.run("return Vector.zero.x, Vector.limits.most", name: "=t")
    #expect(results == [0, 9])
  }

  @Test func `change what they were read from`() throws {
    let body = Body()
    try state.globals.set("body", to: body)
    try state.run(
      """
      body.position.x = 3
      body.position:scale(2)
      local p = body.position
      p.x = p.x + 1
      body.named.a = 5
      body.position = body.position:plus(body.position)
      """, name: "=t")
    #expect(body.position == Vector(x: 14, y: 0) && body.named == ["a": 5])
    #expect(message("body.fixed.x = 1").contains("Body.fixed is read only"))
    #expect(message("body.position.x = -1").contains("Refused"))
    #expect(message("body.path[1].x = 1").contains("a copy of an element of a Swift collection"))
    try state.run("local v = body.path[1] body.path[1] = v:plus(Vector.new(1, 1))", name: "=t")
    #expect(body.position == Vector(x: 14, y: 0) && body.path == [Vector(x: 1, y: 1)])
  }

  @Test func `keep what a failed method has changed, as in Swift`() throws {
    let results = try state.run(
      "local v = Vector.new(1, 2) return pcall(v.fail, v) == false and v.x", name: "=t")
    #expect(results == [99])
  }

  @Test func `belong to the method that changes them until it returns`() throws {
    let text = message("local v = Vector.new(1, 2) v:within(function() return v.x end)")
    #expect(text.contains("this Vector is being changed"), "\(text)")
    #expect(message("local v = Vector.new(1, 2) v:within(function() v.x = 1 end)") != "no error")
    let results = try state.run(
      "local v = Vector.new(1, 2) return v:within(function() return 8 end), v.x", name: "=t")
    #expect(results == [8, 8])
  }

  @Test func `tell wrong receivers and contents from right ones`() {
    #expect(
      message("Vector.new(1, 2).scale({}, 1)").contains(
        "bad argument #1 to 'scale' (Vector expected, got table)"))
    #expect(message("keep({})").contains("bad argument #1 to 'keep' (Vector expected, got table)"))
    #expect(
      message("Vector.new(1, 2).x = 'a'").contains(
        "a.lua:1: bad value for Vector.x (number expected, got string)"))
    #expect(message("Vector.new(1, 2).sum = 1").contains("Vector.sum is read only"))
    #expect(message("Vector.new(1, 2).y = -1").contains("Refused"))
  }
}
