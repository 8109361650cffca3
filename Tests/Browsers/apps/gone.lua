-- A field that goes as soon as three letters are in it, and a button that gets the focus then.
local desk = model "desk" { name = "", secret = "", presses = 0 }

local press = view.button { title = "Press", on = { touchUpInside = function() desk.presses = desk.presses + 1 end } }
local name = view.field { label = "Name", bindTo = { text = "<> desk.name" } }

on(name, "editingChanged", function()
  if #desk.name == 3 then
    name.hidden = true
    press:focus()
  end
end)

show(view.column {
  name,
  view.field { label = "Password", secure = true, bindTo = { text = "<> desk.secret" } },
  press,
})
