import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript

/// Each thing that scripts make counts with about what it takes: what the system's allocator gave
/// for it was measured with a release build, as the growth of the process by 5000 of each.
@Suite(.serialized) struct `Held memory` {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let code: String
    /// Bytes that one takes in the engine.
    let bytes: Int
    var testDescription: String { name }

    init(_ name: String, _ bytes: Int, _ code: String) {
      self.name = name
      self.bytes = bytes
      self.code = code
    }
  }

  static let kinds = [
    Kind("a delayed binding", 1471, "bind('a -> n', m, o, { delay = 0.5 })"),
    Kind("a throttled binding", 1471, "bind('a -> n', m, o, { throttle = 0.5 })"),
    Kind("a binding that waits for frames", 1460, "bind('a -> n', m, o, { deliver = 'frame' })"),
    Kind("a binding with a trigger", 2152, "bind('a -> n', m, o, { trigger = trigger.every(5) })"),
    Kind(
      "a binding with a manual trigger", 1702,
      "bind('a -> n', m, o, { trigger = trigger.manual() })"),
    Kind(
      "a binding on a condition", 2769,
      "bind('a -> n', m, o, { when = function() return true end })"),
    Kind("a binding on a path", 2843, "bind('a -> n', m, o, { when = 'b' })"),
    Kind(
      "a binding that validates", 1039,
      "bind('a -> n', m, o, { validate = function(v) return v end })"),
    Kind("a binding with a placeholder", 742, "bind('a -> n', m, o, { null = 3 })"),
    Kind("a binding of a selection", 1093, "bind('selection.n -> n', c, o)"),
    Kind("a prior observer", 1853, "observe(o, 'n', function() end, { prior = true })"),
    Kind("an observer", 371, "observe(o, 'n', function() end)"),
    Kind("an observer of all", 1816, "observe(o, function() end)"),
    Kind("a list's observer", 621, "l:observe(function() end)"),
    Kind("a filtered list", 2328, "K[#K + 1] = l:filter(function() return true end)"),
    Kind("a mapped list", 2361, "K[#K + 1] = l:map(function(v) return v end)"),
    Kind("a sorted list", 2873, "K[#K + 1] = l:sorted()"),
    Kind("a slice", 2162, "K[#K + 1] = l:slice(1, 2)"),
    Kind("a concatenation", 1315, "K[#K + 1] = concat(l, l)"),
    Kind("a list of three groups", 7251, "K[#K + 1] = l:group(function(v) return v end)"),
    Kind("a list controller", 6919, "K[#K + 1] = controller.list { content = l }"),
    Kind("an object with a function", 1519, "K[#K + 1] = object { v = computed(function() end) }"),
    Kind("an object of its own kind", 1391, "K[#K + 1] = object { ['v' .. i] = 1 }"),
    Kind("a model", 1798, "model('m' .. i) { a = 1 }"),
    Kind("a class", 1128, "class('C' .. i) { a = 1 }"),
    Kind(
      "a component", 12482,
      "view.component('c' .. i, { properties = { t = '' }, view = function() end })"),
    Kind("a transformer", 545, "transformer('c' .. i, function() end)"),
    Kind("a timer", 917, "every(10, function() end)"),
    Kind("a task", 1520, "spawn(function() sleep(10) end)"),
    Kind("an effect", 888, "effect(function() local x = o.n end)"),
    Kind("an observer of notifications", 840, "notification.observe('n', function() end)"),
    Kind("a handler of the end", 824, "on(app, 'willQuit', function() end)"),
    Kind("a binding that waits for a name", 1100, "bind('nomod.a -> m.a')"),
  ]

  @Test(arguments: kinds)
  func `counts with what was measured`(_ kind: Kind) throws {
    let runtime = try Runtime(
      file: "app.lua", configuration: .init(memory: .megabytes(512), turn: .seconds(60)))
    try runtime.evaluate(
      """
      K = {}
      m = model "m" { a = 1, b = 2 }
      o = model "o" { n = 1, b = true }
      l = list { 1, 2, 3 }
      c = controller.list { content = list { object { n = 1 }, object { n = 2 } } }
      function make(first, last) for i = first, last do \(kind.code) end end
      make(1, 100)
      """, as: Value.self)
    let before = engineBytes(of: runtime)
    try runtime.evaluate("make(101, 1100)", as: Value.self)
    let each = (engineBytes(of: runtime) - before) / 1000
    // Counting more is no harm, but what counts with far too much cannot be used.
    #expect(each >= kind.bytes * 7 / 10, "it counts with \(each) of \(kind.bytes)")
    #expect(each <= kind.bytes * 2 + 200, "it counts with \(each) of \(kind.bytes)")
  }

  /// What scripts hold beside Lua's own memory.
  private func engineBytes(of runtime: Runtime) -> Int {
    runtime.lua.collectGarbage()
    return runtime.memoryUsed - runtime.lua.memoryUsed
  }
}
