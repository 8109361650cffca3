-- One of so many labels changes, ten times a second: to a text of 8 characters.
local count = tonumber(arg[1])

local function anyText() return ("%08x"):format(math.random(0, 0xffffffff)) end

local board = model "board" { text = anyText() }
local labels = {}
for number = 1, count do labels[number] = view.label { text = "label " .. number } end
labels[(count + 1) // 2] = view.label { text = function() return board.text end }
show(view.window { view.column(labels) })

every(0.1, function() board.text = anyText() end)
