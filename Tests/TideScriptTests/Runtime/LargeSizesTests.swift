import Foundation
import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

/// What scripts make large costs in proportion to its size, or is given up: each of these took the
/// square of it.
@Suite(.serialized) struct `What scripts make large` {
  private func runtime(
    megabytes: Int = 512, turn: Duration = .seconds(20)
  ) throws -> Runtime {
    try Runtime(
      file: "test.lua", configuration: .init(memory: .megabytes(megabytes), turn: turn))
  }

  /// Each gives true.
  static let programs: [(name: String, source: String)] = [
    (
      "every second row removed by its object",
      """
      local rows, second = {}, {}
      for i = 1, 30000 do
        rows[i] = i
        if i % 2 == 0 then second[#second + 1] = i end
      end
      local c = controller.list { content = list(rows) }
      c.selectedObjects = list(second)
      assert(#c.selectionIndexes == 15000)
      c:removeObjects(second)
      return #c.arrangedObjects == 15000 and c.arrangedObjects[2] == 3
      """
    ),
    (
      "every second row selected while others come and go",
      """
      local rows, second, third = {}, {}, {}
      for i = 1, 15000 do
        rows[i] = i
        if i % 2 == 0 then second[#second + 1] = i end
        if i % 3 == 0 then third[#third + 1] = i else third[#third + 1] = -i third[#third + 1] = i end
      end
      local l = list(rows)
      local c = controller.list { content = l }
      c.selectionIndexes = list(second)
      l:set(third)
      l:set(rows)
      batch(function() for i = 1, 3000 do l:remove(1) end end)
      return #c.selectionIndexes == 6000
      """
    ),
    (
      "all children of a tree selected and removed",
      """
      local children = {}
      for i = 1, 10000 do children[i] = object { n = i } end
      local top = object { children = list(children) }
      local c = controller.tree { content = list { top } }
      c.selectedObjects = list(children)
      assert(#c.selectedObjects == 10000)
      top.children:append(object { n = 0 })
      assert(#c.selectionIndexPaths == 10000)
      c:remove()
      return #top.children == 1
      """
    ),
    (
      "a chain of nodes selected",
      """
      local all = {}
      local last = object { children = list {} }
      for i = 1, 1500 do
        all[i] = last
        last = object { children = list { last } }
      end
      local c = controller.tree { content = list { last } }
      c.selectedObjects = list(all)
      last.children:append(object {})
      return #c.selectedObjects == 1500
      """
    ),
    (
      "many observers of one dict",
      """
      local d, count = dict {}, 0
      local kept = {}
      for i = 1, 30000 do kept[i] = observe(d, function() count = count + 1 end) end
      d.a = 1
      return count == 30000
      """
    ),
    (
      "a separator that nearly matches everywhere",
      """
      local a, b = object { text = "" }, object { parts = list {} }
      bind("text -> parts | split('" .. ("x"):rep(60000) .. "y')", a, b)
      a.text = ("x"):rep(200000)
      return #b.parts == 1 and #b.parts[1] == 200000
      """
    ),
    (
      "dialogs that come and go",
      """
      local dialogs = {}
      for i = 1, 3000 do dialogs[i] = view.dialog {} end
      local v = view.column(dialogs)
      show(v)
      for i = 3000, 1, -1 do dialogs[i]:remove() end
      return #v.subviews == 0
      """
    ),
  ]

  @Test(arguments: programs.map(\.name)) func `is done within a turn`(name: String) throws {
    let source = try #require(Self.programs.first { $0.name == name }).source
    let runtime = try runtime()
    #expect(try runtime.evaluate("(function() \(source) end)()", as: Value.self) == true)
  }

  @Test func `is copied no further than there is memory for`() throws {
    // Memory is to end it, not time, however busy the machine is.
    let runtime = try runtime(megabytes: 16, turn: .seconds(300))
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate(
        """
        (function()
          local text, parts = ("x"):rep(1 << 20), {}
          for i = 1, 20000 do parts[i] = text end
          return list(parts)
        end)()
        """, as: Value.self)
    }
    #expect(error?.code == .scriptMemory)
    #expect(runtime.memoryUsed < 17 << 20)
  }

  @Test func `is joined to no text that there is no memory for`() throws {
    let runtime = try runtime(megabytes: 16)
    let listed = try runtime.evaluate(
      """
      (function()
        a, b = object { parts = list {} }, object { text = "none" }
        local parts = {}
        for i = 1, 1000 do parts[i] = "" end
        bind("parts -> text | join('" .. ("x"):rep(60000) .. "')", a, b)
        a.parts = list(parts)
        return #errors()
      end)()
      """, as: Value.self)
    #expect(listed == 1)
    #expect(
      try runtime.evaluate("errors()[1].code == 'scriptMemory'", as: Value.self) == true,
      "\(runtime.errors)")
    #expect(runtime.memoryUsed < 17 << 20)
  }

  // MARK: Frames

  private func shown(
    _ source: String, turn: Duration, _ told: @escaping (TideError) -> Void
  ) throws -> (Runtime, TextRenderer) {
    let runtime = try runtime()
    runtime.onError = told
    try runtime.evaluate(source, as: Value.self)
    let renderer = TextRenderer()
    runtime.lua.setTurnLimit(turn)
    try #require(runtime.scene).mount(renderer)
    return (runtime, renderer)
  }

  @Test func `is laid out in several frames where one turn does not suffice`() throws {
    var told: [TideError] = []
    let (runtime, renderer) = try shown(
      """
      (function()
        local labels = {}
        for i = 1, 20000 do labels[i] = view.label { text = "label " .. i } end
        show(view.column(labels))
      end)()
      """, turn: .milliseconds(25)
    ) { told.append($0) }
    let scene = try #require(runtime.scene)
    var frames = 1
    while scene.needsFrame, frames < 1000 {
      frames += 1
      try scene.commit()
    }
    #expect(frames > 1 && frames < 1000)
    #expect(renderer.lines.prefix(2) == ["label 1", "label 2"])
    #expect(told.count == 1 && told.first?.code == .scriptTime)
    #expect(told.first?.message.contains("could not be laid out") == true)
    runtime.lua.setTurnLimit(.seconds(60))
  }

  @Test func `is left out of the picture where one view takes a whole turn`() throws {
    var told: [TideError] = []
    let (runtime, _) = try shown(
      """
      (function()
        local text = ("word\\t"):rep(500000)
        show(view.column { view.label { id = "long", text = text, wrap = true }, view.label { text = "end" } })
      end)()
      """, turn: .milliseconds(2)
    ) { told.append($0) }
    let scene = try #require(runtime.scene)
    var frames = 0
    while scene.needsFrame, frames < 100 {
      frames += 1
      try scene.commit()
    }
    #expect(frames < 100)
    #expect(told.first?.code == .scriptTime)
    // Where the machine is busy another view may have been the first.
    #expect(told.contains { $0.message.contains("\"long\"") }, "\(told)")
  }

  // MARK: Memory

  /// The sizes differ, so that the last one that is granted ends anywhere before the limit.
  @Test(arguments: [40, 48, 56, 64, 72, 80])
  func `passes the limit of memory by a megabyte at most`(megabytes: Int) throws {
    let runtime = try runtime(megabytes: megabytes)
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate(
        """
        (function()
          local t = {}
          for i = 1, 700000 do t[i] = i end
          kept = {}
          while true do kept[#kept + 1] = list(t) end
        end)()
        """, as: Value.self)
    }
    #expect(error?.code == .scriptMemory)
    #expect(runtime.memoryUsed <= (megabytes + 1) << 20)
  }
}
