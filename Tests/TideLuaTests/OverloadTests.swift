import Testing
import TideLua

@Suite struct `Functions of one name` {
  final class Vector: TideConvertible {
    let x: Double
    init(_ x: Double) { self.x = x }
  }

  private let state: LuaState

  init() throws {
    state = try LuaState()
    let type = LuaUserType<Vector>("Vector")
    type.function("new") { Vector(0) }
    type.function("new") { (x: Double) in Vector(x) }
    type.function("new") { (text: String, times: Int?) in Vector(Double(text.count * (times ?? 1)))
    }
    type.method("kind") { (_: Vector, _: Int) in "integer" }
    type.method("kind") { (_: Vector, _: Double) in "number" }
    type.method("kind") { (_: Vector, _: Vector) in "vector" }
    type.method("kind") { (_: Vector, _: LuaVariadic<String>) in "strings" }
    type.operator(.multiply) { (left: Vector, factor: Double) in Vector(left.x * factor) }
    type.operator(.multiply) { (factor: Double, right: Vector) in Vector(right.x * factor) }
    type.operator(.multiply) { (left: Vector, right: Vector) in left.x * right.x }
    type.property("x", \.x)
    try state.register(type)
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `are chosen by their arguments`() throws {
    let made = try state.run(
      """
      return Vector.new().x, Vector.new(2).x, Vector.new("abc").x, Vector.new("abc", 2).x,
        Vector.new(nil).x, Vector.new("abc", nil).x
      """, name: "=t")
    #expect(made == [0, 2, 3, 6, 0, 3])
    let kinds = try state.run(
      """
      local v = Vector.new()
      return v:kind(1), v:kind(1.5), v:kind(v), v:kind("a", "b"), v:kind()
      """, name: "=t")
    #expect(kinds == ["integer", "number", "vector", "strings", "strings"])
  }

  @Test func `are operators on either side`() throws {
    let results = try state.run(
      "local v = Vector.new(3) return (v * 2).x, (2 * v).x, v * v", name: "=t")
    #expect(results == [6, 6, 9])
  }

  @Test func `say what they take where nothing fits`() {
    let text = message("Vector.new({})")
    #expect(
      text.contains(
        "a.lua:1: 'Vector.new' takes () or (number) or (string, integer?), and got (table)"),
      "\(text)")
    #expect(message("Vector.new(1, 2)").contains("and got (number, number)"))
    #expect(message("return Vector.new() * 'x'").contains("'Vector.mul' takes"))
    #expect(
      message("Vector.new().kind(1)").contains("(Vector expected, got number)"),
      "a wrong receiver is told before the arguments")
  }

  @Test func `throw what the chosen one throws`() throws {
    struct Refused: Error {}
    let type = LuaUserType<Vector>("Strict")
    type.function("new") { (_: Int) throws -> Vector in throw Refused() }
    type.function("new") { (_: Double) in Vector(1) }
    let other = try LuaState()
    try other.register(type)
    let error = #expect(throws: LuaError.self) { try other.run("Strict.new(1)", name: "=t") }
    #expect(error?.cause is Refused)
  }
}
