import Observation
import Testing
import TideBindings
import TideLua
import TideScript

@Suite struct `What scripts change in a Swift value that an object holds` {
  struct Size: Codable, Equatable, TideConvertible { var width = 1.0, height = 2.0 }
  struct Frame: Codable, Equatable, TideConvertible {
    var name = "main"
    var size = Size()
    var sizes = [Size()]
    var note: String?
  }

  struct Vector: LuaStruct, Equatable { var x = 1.0, y = 2.0 }

  final class Window: DataObject {
    @Property var position = Vector()
    @Property var frame = Frame()
    @Property var frames = [Frame(), Frame()]
    @Property var named = ["a": Frame()]
    @Property var words = ["b", "a"]
    @Property(validate: { $0.width >= 0 ? .accept : .refuse("no width is negative") })
    var size = Size()
    @Property var anything: Value = nil
    @Computed({ (w: Window) in w.frame.size }) var outer: Size
  }

  @Observable final class Room {
    var size = Size()
    let fixed = Size()
  }

  private let runtime: Runtime
  private let window = Window()
  private let room = Room()

  init() throws {
    runtime = try Runtime(file: "copies.lua")
    try runtime.register("w", window)
    try runtime.register(
      "room", ObservedModel(room, .property("size", \.size), .readOnly("fixed", \.fixed)))
  }

  private func run(_ script: String) throws { try runtime.evaluate(script, as: Void.self) }

  private func message(_ script: String) -> String {
    do {
      try run(script)
      return "no error"
    } catch { return (error as? TideError)?.message ?? "\(error)" }
  }

  @Test func `is changed in the object, however deep`() throws {
    try run("models.w.frame.name = 'side'")
    #expect(window.frame == Frame(name: "side"))
    try run("models.w.frame.size.width = 5")
    #expect(window.frame.size == Size(width: 5, height: 2))
    try run("models.w.frame.sizes[1].height = 7")
    #expect(window.frame.sizes == [Size(width: 1, height: 7)])
    try run("models.w.frames[2].size.width = 8")
    #expect(window.frames.map(\.size.width) == [1, 8])
    try run("models.w.named.a.name = 'b'")
    #expect(window.named["a"]?.name == "b")
    try run("models.w.frame.note = 'x'")
    #expect(window.frame.note == "x")
    try run("models.w.frame.note = nil")
    #expect(window.frame.note == nil)
  }

  @Test func `is changed in the object by what is described for it`() throws {
    let type = LuaUserType<Vector>("Vector")
    type.property("x", \.x)
    type.mutating("double") { (vector: inout Vector) in vector.x *= 2 }
    try runtime.register(type)
    var seen: [Vector] = []
    _ = try runtime.context.observe(window, \.position) { new, _ in seen.append(new) }
    try run("models.w.position.x = 3 models.w.position:double()")
    #expect(window.position == Vector(x: 6, y: 2))
    #expect(seen.last == Vector(x: 6, y: 2))
  }

  @Test func `is changed in an observable object`() throws {
    try run("models.room.size.width = 9")
    #expect(room.size == Size(width: 9, height: 2))
    #expect(try runtime.evaluate("models.room.size.width", as: Double.self) == 9)
  }

  @Test func `is seen by who holds on to it`() throws {
    let script = """
      local frame = models.w.frame
      local size = frame.size
      size.width = 5
      size.height = 6
      frame.name = 'x'
      return { frame.size.width, size.height, frame.size.height }
      """
    #expect(try runtime.evaluate(script, as: [Double].self) == [5, 6, 6])
    #expect(window.frame.size == Size(width: 5, height: 6) && window.frame.name == "x")
  }

  @Test func `may be assigned as a whole afterwards`() throws {
    try run(
      """
      local words = models.w.words
      words[#words + 1] = 'c'
      models.w.words = words
      models.w.frames = { models.w.frame }
      models.w.frame.size = models.w.size
      """)
    #expect(window.words == ["b", "a", "c"] && window.frames == [Frame()])
  }

  @Test func `may be a list's element`() throws {
    try run(
      "table.insert(models.w.words, 'c') table.sort(models.w.words) table.remove(models.w.words, 1)"
    )
    #expect(window.words == ["b", "c"])
    try run("table.insert(models.w.frames, { name = 'n', size = models.w.size, sizes = {} })")
    #expect(window.frames.count == 3 && window.frames[2].name == "n")
    try run("for _, frame in ipairs(models.w.frames) do frame.name = 'all' end")
    #expect(window.frames.allSatisfy { $0.name == "all" })
    try run("for _, frame in pairs(models.w.named) do frame.name = 'each' end")
    #expect(window.named["a"]?.name == "each")
  }

  @Test func `is judged and observed as an assignment is`() throws {
    var seen: [Size] = []
    _ = try runtime.context.observe(window, \.size) { new, _ in seen.append(new) }
    #expect(message("models.w.size.width = -1").contains("no width is negative"))
    #expect(message("models.w.size.width = 'x'").contains("width"))
    #expect(message("models.w.size.width = nil").contains("width"))
    #expect(message("models.w.words[5] = 'x'").contains("words"))
    #expect(window.size == Size() && window.words == ["b", "a"] && seen.isEmpty)
    try run("models.w.size.width = 3 models.w.size.width = 3")
    #expect(seen == [Size(width: 3, height: 2)])
  }

  @Test func `is refused where the property cannot be written`() {
    #expect(message("models.w.outer.width = 3").contains("outer"))
    #expect(message("models.room.fixed.width = 3").contains("fixed"))
    #expect(window.frame == Frame())
  }

  @Test func `is refused where it was read before another change`() throws {
    try run("kept = models.w.frame first = models.w.frames[1]")
    window.frame.name = "swift"
    window.frames.removeFirst()
    window.frames[0].name = "second"
    #expect(message("kept.name = 'x'").contains("'frame' holds another value by now"))
    #expect(message("first.name = 'x'").contains("'frames' holds another value by now"))
    window.frames = []
    #expect(message("first.name = 'x'").contains("'frames' holds another value by now"))
    #expect(window.frame.name == "swift")
  }

  @Test func `is read like any table`() throws {
    let script = """
      local frame, words = models.w.frame, models.w.words
      local keys = {}
      for key, value in pairs(frame) do keys[#keys + 1] = key .. type(value) end
      table.sort(keys)
      assert(next(words) == 1 and rawlen(words) == 2 and #words == 2 and rawget(words, 1) == 'b')
      assert(select('#', table.unpack(words)) == 2 and type(frame) == 'table')
      assert(not pcall(rawset, frame, 'name', 'x') and not pcall(setmetatable, frame, {}))
      return { table.concat(keys, ' '), table.concat(words), json.encode(frame.size) }
      """
    let found = try runtime.evaluate(script, as: [String].self)
    #expect(found.prefix(2) == ["namestring sizestable sizetable", "ba"])
    #expect(found.last?.contains("\"width\"") == true)
    #expect(try runtime.evaluate("models.w.frame", as: Frame.self) == Frame())
    #expect(try runtime.evaluate("models.w.frames", as: [Frame].self) == window.frames)
    #expect(try runtime.evaluate("{ models.w.words }", as: [[String]].self) == [["b", "a"]])
    try run("models.w.anything = models.w.size")
    #expect(try runtime.evaluate("models.w.anything.width", as: Double.self) == 1)
  }
}
