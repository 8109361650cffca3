-- How values are shown.

local format = { separator = ", ", colors = { open = "cyan", doing = "yellow", done = "green" } }

function format.hours(hours)
  local whole = math.floor(hours)
  return ("%d:%02d"):format(whole, math.floor((hours - whole) * 60 + 0.5))
end

function format.color(state)
  return format.colors[state] or "white"
end

function format.join(words, separator)
  return table.concat(words, separator or format.separator)
end

transformer("hours", function(hours) return format.hours(hours) end)

transformer("stars", {
  transform = function(priority) return ("*"):rep(4 - priority) end,
  reverse = function(text) return 4 - #text end,
})

transformer("stateColor", format.color)

transformer "initial" { transform = function(text) return text:sub(1, 1) end }

style.define("late", { textColor = "red", bold = true, selected = { backgroundColor = "black" } })
style.define("calm", { textColor = "#336699", focused = { underline = true } })

return format
