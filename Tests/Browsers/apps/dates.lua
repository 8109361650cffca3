-- Days and times in the zone of the server and in UTC.
local at = model "at" { here = 1790000000, utc = 1790000000, time = 1790000000, own = 1790000000 }

local function picker(name, more)
  more.id, more.label, more.bindTo = name, name, { value = "<> at." .. name }
  return view.datePicker(more)
end

show(view.window { title = "Dates", view.column {
  picker("here", {}),
  picker("utc", { utc = true, minimum = 1789000000, maximum = 1791000000 }),
  picker("time", { showsTime = true }),
  picker("own", { pattern = "%d.%m.%y" }),
  view.label { id = "said", bindTo = { text = "at.here | date('%Y-%m-%d %H:%M')" } },
} })
