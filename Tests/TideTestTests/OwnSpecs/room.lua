-- An app that several people have: a shared title and members, a note of each person's own,
-- settings that a database keeps, and a zoom that it keeps for each person.
local Member = class "Member" { name = "" }
local room = shared("room", { title = "", members = list {} })
local own = model "own" { note = arg[1] or "", ticks = 0 }
local settings = model "settings" { width = 30, recent = list {} }
store.open("room.db"):keep(settings)
local zoom = model "zoom" { factor = 1 }
session.keep(zoom)

every(1, function() own.ticks = own.ticks + 1 end)

return view.column {
  view.field { id = "title", bindTo = { text = "<> room.title" } },
  view.field { id = "note", bindTo = { text = "<> own.note" } },
  view.button { id = "join", title = "Join", on = { touchUpInside = function()
    room.members:append(Member { name = own.note })
  end } },
  view.button { id = "zoom", title = "Zoom", on = { touchUpInside = function()
    zoom.factor = zoom.factor + 1
  end } },
  view.button { id = "fail", title = "Fail", on = { touchUpInside = function() error("no") end } },
  view.list { id = "members", items = room.members, height = 3, cell = function()
    return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
  end },
}
