-- Views a million cells wide and high, of which a few show.
-- expect: fine
-- leaves: other views
local content = view.column {
  view.progress { width = 1e6, height = 1e6, value = 0.5 },
  view.chart { kind = "bar", values = list { 1, 2, 3 }, width = 1e6, height = 1e6 },
  view.chart { kind = "line", values = list { 1, 3, 2, 5, 1 }, width = 1e6, height = 1e6, scale = true },
  view.divider { width = 1e6, height = 1e6 },
  view.slider { width = 1e6, value = 0.5 },
  view.tabs { width = 1e6, height = 1e6, titles = { "a", "b" }, view.label { text = "a" }, view.label { text = "b" } },
  view.box { title = "box", width = 1e6, height = 1e6, view.label { text = "x" } },
  view.radio { items = { "a", "b" }, height = 1e6 },
  view.textArea { text = "a", width = 1e6, height = 1e6 },
}
local scroll = view.scroll { content }
show(scroll)
scroll:snapshot(80, 24)
