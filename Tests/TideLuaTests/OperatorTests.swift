import Testing
import TideLua

@Suite struct `Operators of Swift classes` {
  final class Bits: TideConvertible {
    var value: Int
    var ends: [String] = []
    init(_ value: Int) { self.value = value }
  }

  private let state: LuaState
  private let bits = Bits(6)

  init() throws {
    state = try LuaState()
    let type = LuaUserType<Bits>("Bits")
    type.operator(.bitAnd) { (left: Bits, right: Int) in left.value & right }
    type.operator(.bitOr) { (left: Bits, right: Int) in left.value | right }
    type.operator(.bitXor) { (left: Bits, right: Int) in left.value ^ right }
    type.operator(.bitNot) { (bits: Bits) in ~bits.value }
    type.operator(.shiftLeft) { (left: Bits, right: Int) in left.value << right }
    type.operator(.shiftRight) { (left: Bits, right: Int) in left.value >> right }
    type.operator(.close) { (bits: Bits, error: LuaValue) in
      bits.ends.append(error == .nil ? "left" : "failed")
    }
    type.operator(.call) { (bits: Bits, shift: Int) in (bits.value, bits.value << shift) }
    type.operator(.pairs) { (bits: Bits) in
      LuaIterator(pairs: (0..<3).map { (bit: Int) in (bit, bits.value >> bit & 1 == 1) })
    }
    type.property("value", \.value)
    type.method("name") { (_: Bits) in "bits" }
    type.subscript { (bits: Bits, index: Int) -> Bool? in
      (0..<8).contains(index) ? bits.value >> index & 1 == 1 : nil
    } set: { (bits: Bits, index: Int, isSet: Bool) in
      guard (0..<8).contains(index) else { throw LuaError(.runtime, "no bit \(index)") }
      bits.value = isSet ? bits.value | 1 << index : bits.value & ~(1 << index)
    }
    try state.register(type)
    try state.globals.set("bits", to: bits)
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `work on bits`() throws {
    let results = try state.run(
      "return bits & 3, bits | 1, bits ~ 2, ~bits, bits << 1, bits >> 1", name: "=t")
    #expect(results == [2, 7, 4, -7, 12, 3])
  }

  @Test func `end a block`() throws {
    try state.run("do local b <close> = bits end", name: "=t")
    try state.run("pcall(function() local b <close> = bits error('x') end)", name: "=t")
    #expect(bits.ends == ["left", "failed"])
  }

  @Test func `have several results`() throws {
    #expect(try state.run("return bits(1)", name: "=t") == [6, 12])
  }

  @Test func `go over pairs`() throws {
    let results = try state.run(
      "local all = '' for k, v in pairs(bits) do all = all .. k .. tostring(v) .. ' ' end return all",
      name: "=t")
    #expect(results == ["0false 1true 2true "])
  }

  @Test func `read and write elements by keys`() throws {
    let results = try state.run(
      "bits[0] = true bits[1] = false return bits[0], bits[1], bits[9], bits.value, bits:name()",
      name: "=t")
    #expect(results == [true, false, .nil, 5, "bits"])
  }

  @Test func `refuse keys and contents that do not fit`() {
    #expect(message("return bits.size").contains("a.lua:1: Bits has no property or method 'size'"))
    #expect(message("bits.size = 1").contains("a.lua:1: Bits has no property 'size'"))
    #expect(message("bits.name = 1").contains("a.lua:1: Bits.name is read only"))
    #expect(message("bits[9] = true").contains("a.lua:1: no bit 9"))
    #expect(
      message("bits[1] = 'x'").contains(
        "a.lua:1: bad value for Bits[1] (boolean expected, got string)"))
  }

  @Test func `refuse to write elements that are only read`() throws {
    let type = LuaUserType<Bits>("Fixed")
    type.subscript { (bits: Bits, index: Int) in bits.value }
    let other = try LuaState()
    try other.register(type)
    try other.globals.set("bits", to: bits)
    let error = #expect(throws: LuaError.self) { try other.run("bits[1] = 2", name: "@a.lua") }
    #expect(error?.description.contains("Fixed.1 is read only") == true)
  }
}
