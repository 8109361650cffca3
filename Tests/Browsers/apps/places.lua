-- Where each viewer is: scroll offsets, the focus, and the size of the window.
local at = model "at" { y = 0, wide = 0 }
local lines = {}
for number = 1, 60 do lines[number] = "line " .. number end
local names = list {}
for number = 1, 500 do names:append("name " .. number) end

show(view.window { title = "Places", view.column { id = "all", spacing = 1,
  view.field { id = "name", label = "Name", autofocus = true },
  view.field { id = "other", label = "Other" },
  view.button { id = "go", title = "Go to other", on = { touchUpInside = function() views.other:focus() end } },
  view.scroll { id = "text", label = "Text", height = 8, width = 30, scrollY = 12,
    view.label { text = table.concat(lines, "\n") }, view.label { text = ("wide "):rep(20) } },
  view.list { id = "names", label = "Names", height = 8, items = names },
  view.label { id = "said", text = function()
    return ("%d %d %s %s"):format(views.text.scrollX, views.text.scrollY,
      views.all.bounds.width < 60 and "narrow" or "wide", views.other.focused and "other" or "elsewhere") end },
} })
