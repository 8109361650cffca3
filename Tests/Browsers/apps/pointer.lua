-- What listens to the pointer: by itself, in rows, and in menus.
local seen = model "seen" { spot = "none", row = "none", clicked = "none", menu = "none", taps = 0 }
local names = list { "Ada", "Bo", "Cy", "Di" }
for number = 5, 200 do names:append("name " .. number) end

local function of(event)
  return ("%s %d %d %s"):format(event.inside and "in" or "out", event.x or -1, event.y or -1,
    (event.shift and "S" or "") .. (event.ctrl and "C" or "") .. (event.alt and "A" or ""))
end

local rows = view.list { id = "rows", label = "Names", height = 6, items = names,
  cell = function() return view.cell { view.label { bindTo = { text = "dataObject" } } } end,
  on = {
    hover = function(_, event) seen.row = event.inside and event.value or "left" end,
    move = function(_, event) names:move(event.index, event.target) end,
    click = function(_, event) seen.clicked = event.index .. " " .. event.value end,
  },
  contextMenu = { { title = "Greet", command = function(list) seen.menu = "hello " .. list.selectedObject end } },
}
on(rows, "willShowContextMenu", function(sender)
  sender.contextMenu[1].title = "Greet " .. sender.selectedObject
end)

local bare = view.label { id = "bare", text = "Menu as it comes", on = { willShowContextMenu = function(sender)
  seen.taps = seen.taps + 1
  sender.contextMenu = { { title = "Asked " .. seen.taps, command = function() seen.menu = "asked" end } }
end } }

show(view.window { title = "Pointer", view.column { id = "all", spacing = 1,
  view.label { id = "spot", text = "Move over this", width = 20, height = 2,
    on = { hover = function(_, event) seen.spot = of(event) end } },
  view.column { id = "outer", on = { hover = function(sender, event)
      if not event.inside then seen.spot = "left outer" end
    end, click = function(sender, event) seen.clicked = event.sender.id or "nameless" end },
    view.label { id = "inner", text = "Inside of it" },
    view.label { id = "late", text = "Listens later" },
    view.button { title = "Listen", on = { touchUpInside = function()
      on(views.late, "click", function(_, event) seen.clicked = "late " .. event.x end)
    end } },
    view.label { id = "off", text = "Out of use", enabled = false },
  },
  rows, bare,
  view.column { contextMenu = { { title = "Whole" } },
    view.slider { label = "Level", minimum = 0, maximum = 100 } },
  view.label { id = "said", text = function()
    return table.concat({ seen.spot, seen.row, seen.clicked, seen.menu, seen.taps }, " | ") end },
} })
