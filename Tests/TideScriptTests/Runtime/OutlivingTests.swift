import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// What scripts have made may outlive their app: the host may hold it, and it may close while the
/// app ends. Nothing of that may reach for the runtime.
@Suite(.serialized) struct `What outlives its app` {
  private func runtime() throws -> Runtime { try Runtime(file: "test.lua", configuration: .init()) }

  @Test func `is a value that closes with its task, and uses the app's functions`() throws {
    var runtime: Runtime? = try runtime()
    try runtime?.evaluate(
      """
      (function()
        l = list {}
        spawn(function()
          local x <close> = setmetatable({}, { __close = function()
            l:append(#list { 1 })
            after(1, function() end)
            show(view.label {})
          end })
          sleep(1000)
        end)
        every(1000, function() end)
      end)()
      """, as: Value.self)
    runtime = nil
  }

  @Test func `is an observer that hears of what ends with the app`() throws {
    var runtime: Runtime? = try runtime()
    let kept = ValueList()
    try runtime?.register("kept", kept)
    try runtime?.evaluate(
      """
      (function()
        local kept = models.kept
        local o = object { n = 0 }
        kept:observe(function() o.n = o.n + 1 end)
        observe(o, "n", function() return list { o.n } end)
        effect(function() local n = o.n return function() kept:append(n) end end)
        o.n = 1
      end)()
      """, as: Value.self)
    runtime = nil
    try kept.append(1)
  }

  @Test func `is a view with all its functions`() throws {
    var runtime: Runtime? = try runtime()
    try runtime?.evaluate(
      """
      (function()
        local folders = list { object { name = "a", children = list { object { name = "b" } } } }
        show(view.column {
          view.button { title = "b", keys = { x = function() end }, on = { touchUpInside = function() end } },
          view.list { items = folders, cell = function(o) return view.cell { view.label { text = o.name } } end,
            height = 2 },
          view.tree { items = folders, children = function(o) return o.children end, height = 2 },
          view.table { items = folders, height = 2, columns = function()
            return { { title = "Name", value = "name", sortable = true } } end },
          view.menu { items = function() return { { title = "File", items = { { title = "Save",
            command = function() end } } } } end },
          view.label { text = function() return "x" .. #folders end },
          function() return view.label { text = #folders .. "" } end,
        })
        controller.list { content = folders, newObject = function() return object {} end }
      end)()
      """, as: Value.self)
    let scene = try #require(runtime?.scene)
    let renderer = TextRenderer()
    try scene.mount(renderer)
    scene.onError = { _ in }
    runtime = nil
    for key in ["x", "Tab", "Enter", "Down", "Right", "Enter", "F10", "Enter", "Escape"] {
      try scene.send(keys: key)
      try scene.commit()
    }
    scene.resize(Size(width: 40, height: 30))
    try scene.commit()
    for y in 0..<12 {
      scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 2, y: y))))
      scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: 2, y: y))))
      try scene.commit()
    }
  }
}
