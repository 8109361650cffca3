-- A label that changes so many times a second, once the button has been pressed.
local rate = tonumber(arg[1])
local board = model "board" { number = 0 }

local function start()
  every(1 / rate, function() board.number = board.number + 1 end)
end

show(view.window { view.column {
  view.label { text = function() return ("text%04d"):format(board.number % 10000) end },
  view.button { title = "Start", on = { touchUpInside = start } },
} })
