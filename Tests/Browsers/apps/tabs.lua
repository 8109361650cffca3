-- The order of Tab: by numbers, then as the tree has it.
local more = model "more" { early = nil }

show(view.window { title = "Order", view.column {
  view.field { id = "third", label = "third" },
  view.button { id = "first", title = "first", order = -1 },
  view.scroll { id = "still", label = "still", height = 3, view.button { id = "fourth", title = "fourth" },
    view.label { text = "one\ntwo\nthree\nfour" } },
  view.scroll { id = "fifth", label = "fifth", height = 3, view.label { text = "one\ntwo\nthree\nfour" } },
  view.tabs { id = "second", titles = { "second", "other" }, order = 2.5,
    view.label { text = "one" }, view.label { text = "two" } },
  view.list { id = "sixth", label = "sixth", height = 3, items = list { "a", "b" } },
} })
