-- As many rows as anybody scrolls through.
local rows = {}
for number = 1, 1000000 do rows[number] = "row " .. number end

local state = model "state" { rows = list(rows) }

show(view.window { title = "A million", view.list { id = "rows", label = "Rows", grow = 1, items = state.rows } })
