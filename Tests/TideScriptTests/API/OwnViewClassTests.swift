import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// View classes that the host brings to its scripts.
@Suite struct `View classes of a host's own` {
  private func runtime() throws -> Runtime {
    let runtime = try Runtime(file: "test.lua")
    try runtime.register(
      "gauge",
      ViewClass(
        properties: ["value": .number(default: 0), "unit": .string(default: "%")],
        events: ["tapped"]
      ) { view, canvas in
        canvas.write("\(view["value"].text ?? "")\(view["unit"].text ?? "")", x: 0, y: 0)
      })
    return runtime
  }

  @Test func `are made, bound and drawn like any other`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      engine = model "engine" { load = 0.25 }
      show(view.column { view.gauge { id = "g", unit = " V", bindTo = { value = "engine.load" } } })
      engine.load = 0.5
      """, as: Value.self)
    #expect(try runtime.evaluate("views.g.class", as: Value.self) == "gauge")
    #expect(try runtime.evaluate("views.g:snapshot()", as: Value.self) == "0.5 V")
    #expect(
      try runtime.evaluate("views.g.superview:find { class = 'gauge' } == views.g", as: Value.self)
        == true)
    #expect(runtime.errors.isEmpty)
  }

  @Test func `send the events that they declare, which go up`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      heard = 0
      gauge = view.gauge { on = { tapped = function(sender, event) heard = heard + event.value return false end } }
      column = view.column { gauge }
      on(column, "tapped", function(_, event) heard = heard + 10 * event.value end)
      gauge:send("tapped", 2)
      """, as: Value.self)
    #expect(try runtime.evaluate("heard", as: Value.self) == 22)
    let gauge = try runtime.evaluate("gauge", as: View.self)
    gauge.send("tapped", value: 1)
    #expect(try runtime.evaluate("heard", as: Value.self) == 33)
  }

  @Test func `refuse what they do not have`() throws {
    let runtime = try runtime()
    func message(_ chunk: String) -> String {
      do {
        try runtime.evaluate(chunk, as: Value.self)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(message("view.gauge { valu = 1 }").contains("did you mean \"value\"?"))
    #expect(message("view.gauge { value = 'x' }").contains("gauge.value holds number"))
    #expect(message("view.gauge { view.label {} }").contains("a gauge takes no subviews"))
    #expect(message("view.gaug {}").contains("did you mean \"gauge\"?"))
    #expect(
      message("on(view.gauge {}, 'taped', print)").contains("did you mean \"tapped\"?"))
    #expect(
      message("view.component('gauge', { view = function() end })").contains("already"))
  }
}
