import Foundation
import Testing
import TideLua

private struct Person: Codable, Equatable {
  var name: String
  var age: Int
  var ratio: Double?
  var tags: [String]
  var friends: [Person] = []
  var scores: [String: Int] = [:]
}

private enum Shape: Codable, Equatable {
  case circle(radius: Double)
  case box(width: Double, height: Double)
  case nothing
}

private enum Fruit: String, Codable { case fig, pear }

@Suite struct `Codable values` {
  private let state: LuaState

  init() throws { state = try LuaState() }

  private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    #expect(try state.encode(value).decode(Value.self) == value)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ source: String, _ options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    try state.decode(type, from: state.run("return \(source)", name: "=t")[0], with: options)
  }

  /// What is wrong with a value, and where: `path: reason`.
  private func failure<Value: Decodable>(
    _ type: Value.Type, _ source: String, _ options: LuaCodingOptions = LuaCodingOptions()
  ) -> String {
    do {
      _ = try decode(type, source, options)
      return "nothing"
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        return path(context.codingPath) + context.debugDescription
      case .keyNotFound(let key, let context):
        return path(context.codingPath + [key]) + context.debugDescription
      @unknown default: return "\(error)"
      }
    } catch {
      return "\(error)"
    }
  }

  private func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".") + ": "
  }

  @Test func `structures become tables that scripts read and write`() throws {
    let jim = Person(
      name: "Jimmy", age: 12, ratio: nil, tags: ["a", "b"],
      friends: [Person(name: "Ann", age: 13, ratio: 0.5, tags: [])], scores: ["x": 1])
    try roundTrip(jim)
    try state.globals.rawSet("p", state.encode(jim))
    #expect(
      try state.run(
        """
        return p.name, p.age, math.type(p.age), p.ratio, #p.tags, p.tags[2], p.friends[1].name,
          p.scores.x, #p.friends[1].tags
        """, name: "=t") == ["Jimmy", 12, "integer", nil, 2, "b", "Ann", 1, 0])
    try state.run("p.age = 13.0 p.ratio = 1 p.friends = {} p.tags[3] = 'c'", name: "=t")
    let grown = try state.globals["p"].decode(Person.self)
    #expect(
      grown
        == Person(name: "Jimmy", age: 13, ratio: 1, tags: ["a", "b", "c"], scores: ["x": 1]))
  }

  @Test func `scalars, optionals, enums, dates, URLs and bytes`() throws {
    try roundTrip(true)
    try roundTrip("zwölf 日本")
    try roundTrip("")
    try roundTrip(Int.min)
    try roundTrip([UInt8.max, 0, 255])
    try roundTrip(Data([0xff, 0, 0xfe]))
    try roundTrip([Int8.min, Int8.max])
    try roundTrip(UInt64(Int64.max))
    try roundTrip(Float(0.1))
    try roundTrip(-Double.infinity)
    try roundTrip(Int?.none)
    try roundTrip([Shape.circle(radius: 1), .box(width: 1, height: 2.5), .nothing])
    try roundTrip([Fruit.fig, .pear])
    try roundTrip(Date(timeIntervalSince1970: 86400.5))
    try roundTrip(try #require(URL(string: "https://example.org/a?b=c")))
    try roundTrip(UUID())
    try roundTrip([[1, 2], [], [3]])
    try roundTrip([3: "c", -1: "m", 1: "a"])
    try roundTrip(["1": 1, "x": 2])
    try roundTrip([Fruit.fig: 1])
    try roundTrip(Set([1, 2, 3]))
    try roundTrip([0.5: 1])
    #expect(try state.encode(-0.0).number?.sign == .minus)
    #expect(try state.encode(Double.nan).decode(Double.self).isNaN)
    #expect(try state.encode(Date(timeIntervalSince1970: 5)) == 5)
    #expect(try state.encode([UInt8]("pear".utf8)) == "pear")
    #expect(try decode(Data.self, "'pear'") == Data("pear".utf8))
    #expect(try decode([UInt8].self, "{ 1, 2 }") == [1, 2])
    #expect(try state.encode(Int?.none) == nil)
  }

  @Test func `keys stay what they are`() throws {
    try state.globals.rawSet("a", state.encode(["1": "text"]))
    try state.globals.rawSet("b", state.encode([1: "integer"]))
    #expect(
      try state.run("return a['1'], a[1], b['1'], b[1]", name: "=t") == [
        "text", nil, nil, "integer",
      ])
    #expect(
      try decode([Int: Int].self, "{ 10, 20, [-1] = 5, [100] = 6 }") == [
        1: 10, 2: 20, -1: 5, 100: 6,
      ])
    #expect(failure([String: Int].self, "{ 10 }") == ": string keys expected, got 1")
    #expect(failure([Int: Int].self, "{ x = 1 }") == ": integer keys expected, got \"x\"")
  }

  @Test func `an empty table is an empty array and an empty dictionary`() throws {
    #expect(try decode([Int].self, "{}") == [])
    #expect(try decode([String: Int].self, "{}") == [:])
    struct Empty: Codable, Equatable {}
    #expect(try decode(Empty.self, "{}") == Empty())
    try roundTrip([Empty(), Empty()])
  }

  @Test func `what does not fit is refused with the path of Lua's keys`() throws {
    let jim = "{ name = 'J', age = 1, tags = {}, scores = {}, friends = {"
    #expect(
      failure(Person.self, "\(jim) { name = 'A', age = 'old', tags = {} } } }")
        == "friends.1.age: number expected, got string")
    #expect(failure(Person.self, "\(jim) 7 } }") == "friends.1: table expected, got number")
    #expect(failure(Person.self, "{ name = 'J' }") == "age: the field is missing")
    #expect(
      failure(Person.self, "{ name = false, age = 1 }") == "name: string expected, got boolean")
    #expect(failure([Int].self, "{ 1, 2.5 }") == "2: 2.5 does not fit Int")
    #expect(failure([UInt8].self, "{ 256 }") == "1: 256 does not fit UInt8")
    #expect(failure(UInt.self, "-1") == ": -1 does not fit UInt")
    #expect(failure(Int.self, "2^63") == ": 9.223372036854776e+18 does not fit Int")
    #expect(failure(Int.self, "0/0").hasSuffix("nan does not fit Int"))
    #expect(failure(Double.self, "(1 << 53) + 1") == ": 9007199254740993 does not fit Double")
    #expect(failure(Float.self, "1e300") == ": 1e+300 does not fit Float")
    #expect(failure(Int.self, "'1'") == ": number expected, got string")
    #expect(failure(String.self, "1") == ": string expected, got number")
    #expect(
      failure([Int].self, "{ 1, x = 2 }") == ": sequence expected, got a table with key \"x\"")
    #expect(failure([Int].self, "{ 1, nil, 3 }") == ": sequence expected, got a table with key 3")
    #expect(failure(Int.self, "nil") == ": number expected, got nil")
    #expect(failure([String: Int].self, "{ f = print }") == "f: number expected, got function")
    #expect(failure(Fruit.self, "'kiwi'").contains("kiwi"))
    #expect(failure(Date.self, "'now'") == ": number expected, got string")
    #expect(failure(URL.self, "''") == ": cannot read '' as a URL")
    #expect(failure(Data.self, "1") == ": string expected, got number")
  }

  @Test func `text that is not UTF-8 is refused, or repaired when asked`() throws {
    #expect(failure([String].self, "{ '\\xff' }") == "1: the text is not UTF-8")
    var options = LuaCodingOptions()
    options.repairsText = true
    #expect(try decode(String.self, "'a\\xff'", options) == "a\u{FFFD}")
    #expect(try decode([UInt8].self, "'a\\xff'") == [97, 255])
  }

  @Test func `tables inside of themselves and deep ones are errors where they are asked for`()
    throws
  {
    struct Node: Decodable { var next: [Node]? }
    struct Named: Decodable { var name: String }
    try state.run("loop = { name = 'loop' } loop.next = { loop }", name: "=t")
    #expect(failure(Node.self, "loop") == "next.1: the table contains itself")
    #expect(try decode(Named.self, "loop").name == "loop")
    try state.run(
      "deep = {} local t = deep for i = 1, 5000 do t.next = { {} } t = t.next[1] end", name: "=t")
    #expect(failure(Node.self, "deep").hasSuffix(": the table is too deep"))
    var options = LuaCodingOptions()
    options.maximumDepth = 3
    #expect(failure([[[[Int]]]].self, "{ { { {} } } }", options) == "1.1.1: the table is too deep")
    #expect(try decode([[[Int]]].self, "{ { { 1 } } }", options) == [[[1]]])
    options.maximumDepth = .max
    #expect(failure(Node.self, "deep", options).hasSuffix(": the table is too deep"))
    // A table in several places is no cycle.
    #expect(
      try decode([[Int]].self, "(function() local t = { 1 } return { t, t } end)()") == [[1], [1]])
  }

  @Test func `a table that unfolds without end is bounded`() throws {
    try state.run("t = { 1 } for i = 1, 60 do t = { t, t } end", name: "=t")
    var options = LuaCodingOptions()
    options.maximumCount = 100_000
    #expect(failure([Int].self, "t", options).contains("too many parts"))
    try state.run("s = ('x'):rep(1 << 20) big = {} for i = 1, 1000 do big[i] = s end", name: "=t")
    #expect(failure([String].self, "big").contains("too much text"))
  }

  @Test func `what Lua has no value for is refused with its path`() throws {
    func failure(_ value: some Encodable) -> String {
      let result = Result { try state.encode(value) }
      guard case .failure(EncodingError.invalidValue(_, let context)) = result else {
        return "\(result)"
      }
      return path(context.codingPath) + context.debugDescription
    }
    #expect(
      failure(["a": [UInt64.max]]) == "a.1: 18446744073709551615 does not fit a Lua integer")
    #expect(failure([1, nil]) == "2: a Lua sequence holds no nil")
    final class Endless: Encodable {
      var own: Endless?
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(own, forKey: .own)
      }
      enum Key: CodingKey { case own }
    }
    let endless = Endless()
    endless.own = endless
    defer { endless.own = nil }
    #expect(failure(endless).hasSuffix("own: the value is too deep"))
    #expect(try state.encode(["a": Int?.none, "b": 1]).decode([String: Int].self) == ["b": 1])
  }

  @Test func `nested containers, superclasses, integer keys and userInfo`() throws {
    let value = Custom(x: 7, list: [1, 2], note: "n")
    let encoded = try state.encode(value)
    try state.globals.rawSet("c", encoded)
    #expect(
      try state.run("return c[1], c.inner.list[2], c.super.note, c.late", name: "=t") == [
        7, 2, "n", "late",
      ])
    var options = LuaCodingOptions()
    let key = try #require(CodingUserInfoKey(rawValue: "factor"))
    options.userInfo[key] = 10
    let decoded = try encoded.decode(Custom.self, with: options)
    #expect(decoded.x == 70 && decoded.list == [1, 2] && decoded.note == "n")
  }

  private class Base: Codable {
    var note: String
    init(note: String) { self.note = note }
  }

  /// Codes everything by hand, in an order that no synthesized code has.
  private final class Custom: Base {
    var x: Int
    var list: [Int]

    enum Key: Int, CodingKey { case x = 1 }
    enum Other: CodingKey { case inner, late }
    enum Inner: CodingKey { case list }

    init(x: Int, list: [Int], note: String) {
      self.x = x
      self.list = list
      super.init(note: note)
    }

    required init(from decoder: any Decoder) throws {
      let factor = CodingUserInfoKey(rawValue: "factor").flatMap { decoder.userInfo[$0] } as? Int
      let container = try decoder.container(keyedBy: Key.self)
      x = try container.decode(Int.self, forKey: .x) * (factor ?? 1)
      let other = try decoder.container(keyedBy: Other.self)
      let inner = try other.nestedContainer(keyedBy: Inner.self, forKey: .inner)
      var elements = try inner.nestedUnkeyedContainer(forKey: .list)
      list = []
      while !elements.isAtEnd { list.append(try elements.decode(Int.self)) }
      #expect(throws: DecodingError.self) { try elements.decode(Int.self) }
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var other = encoder.container(keyedBy: Other.self)
      var inner = other.nestedContainer(keyedBy: Inner.self, forKey: .inner)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(x, forKey: .x)
      try other.encode("late", forKey: .late)
      var elements = inner.nestedUnkeyedContainer(forKey: .list)
      for element in list { try elements.encode(element) }
      try super.encode(to: container.superEncoder())
    }
  }

  @Test func `sealed tables are read through, metamethods are not run`() throws {
    let sealed = try state.table(["x": 1]).sealed(as: "s")
    #expect(try sealed.decode([String: Int].self) == ["x": 1])
    let hooked = "setmetatable({ 1 }, { __index = error, __len = error, __pairs = error })"
    #expect(try decode([Int].self, hooked) == [1])
  }

  @Test func `thousands of fields are found`() throws {
    let large = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("key \($0)", $0) })
    try roundTrip(large)
    struct Wide: Decodable { var a, b, c, d, e, f, g, h, i, j, k, l, m, n: Int }
    let names = "abcdefghijklmn".map { "\($0) = 1" }.joined(separator: ", ")
    let wide = try decode(Wide.self, "{ \(names) }")
    #expect(wide.a == 1 && wide.n == 1)
    #expect(failure(Wide.self, "{ \(names), n = 'x' }") == "n: number expected, got string")
  }

  @Test func `a closed state is an error`() throws {
    let table = try state.encode([1])
    state.close()
    #expect(throws: LuaError.self) { try table.decode([Int].self) }
    #expect(throws: LuaError.self) { try state.encode([1]) }
  }
}
