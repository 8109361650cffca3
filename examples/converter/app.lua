-- Two numbers, each in several units. Every field is bound both ways to the same number, through
-- transformers that have a reverse; type into any of them, and the others follow. Save this file
-- while it runs, and see.

local temperature = model "temperature" {
  kelvin = property { default = 293.15, validate = function(_, kelvin)
    if kelvin < 0 then return nil, "Nothing is colder than absolute zero." end
    -- "nan" is a number as well, and not below anything.
    if not (kelvin <= 1.4e32) then return nil, "Physics ends at 1.4e32 kelvin." end
    return kelvin
  end },
}

local length = model "length" {
  metres = property { default = 42195, validate = function(_, metres)
    if metres < 0 then return nil, "A length is not negative." end
    if not (metres <= 8.8e26) then return nil, "The universe ends before that." end
    return metres
  end },
}

-- A transformer of one's own. The other units need none: `offset` and `scale` are there, and `!`
-- turns one round, so that `!scale(0.3048)` divides by the metres of a foot.
transformer "fahrenheit" {
  transform = function(celsius) return celsius * 1.8 + 32 end,
  reverse = function(fahrenheit) return (fahrenheit - 32) / 1.8 end,
}

-- How it feels, up to so many degrees Celsius.
local feelings = {
  { -60, "blue", "colder than where people live" }, { 0, "blue", "freezing" },
  { 15, "cyan", "a coat is good" }, { 28, "green", "pleasant" }, { 42, "yellow", "hot" },
  { 100, "red", "too hot to touch" }, { math.huge, "red", "steam, and worse" },
}

local function feeling(kelvin)
  for _, each in ipairs(feelings) do
    if kelvin - 273.15 < each[1] then return each end
  end
  return feelings[#feelings]
end

transformer("heat", function(kelvin) return feeling(kelvin)[2] end)
transformer("feel", function(kelvin) return feeling(kelvin)[3] end)

-- On foot, at 5 km an hour.
transformer("walk", function(metres)
  local minutes = metres / 5000 * 60
  if minutes < 1 then return "a few steps" end
  if minutes < 100 then return ("a walk of %.0f min"):format(minutes) end
  local hours = minutes / 60
  return hours < 48 and ("a walk of %.1f h"):format(hours)
    or ("a walk of %.0f days"):format(hours / 24)
end)

-- Views -------------------------------------------------------------------------------------------

-- What is typed stays as it was typed while it means what the model holds: "20" does not become
-- "20.00" under the caret. What is wrong with it is in the field's `error`, and shown below it.
local function field(id, title, path)
  local input = view.field { id = id, label = title, width = 20, height = 1, grow = 1,
    bindTo = { text = "<> " .. path },
  }
  return view.column {
    view.row { spacing = 1, view.label { width = 15, style = "muted", text = title }, input },
    view.label { style = "error", wrap = true,
      hidden = function() return not input.error end,
      text = function() return input.error or "" end,
    },
  }
end

local function preset(title, quantity, unit, value)
  return view.button { title = title, on = {
    touchUpInside = function() quantity[unit] = value end,
  } }
end

-- As wide as it needs to be, and wider where there is room, but no line is too long to read.
local function quantity(title, ...)
  return view.column { width = 36, grow = 1, maxWidth = 64,
    view.label { bold = true, margin = { 0, 0, 1, 0 }, text = title },
    ...,
  }
end

-- What a small terminal has no room for is scrolled to, by Tab or the mouse wheel.
local shown = view.scroll { label = "Quantities", view.row { spacing = 4,
  quantity("Temperature",
    field("celsius", "Celsius", "temperature.kelvin | offset(-273.15) | number(2)"),
    field("fahrenheit", "Fahrenheit",
      "temperature.kelvin | offset(-273.15) | fahrenheit | number(2)"),
    field("kelvin", "Kelvin", "temperature.kelvin | number(2)"),
    -- In whole degrees; one that is outside shows at the end.
    view.slider { id = "slider", label = "Degrees", minimum = -40, maximum = 120, step = 1, margin = { 1, 0, 0, 0 },
      bindTo = {
        value = "<> temperature.kelvin | offset(-273.15)",
        textColor = "temperature.kelvin | heat",
      },
    },
    view.label { id = "feeling", bindTo = {
      text = "temperature.kelvin | feel", textColor = "temperature.kelvin | heat",
    } },
    view.row { spacing = 1, margin = { 1, 0, 0, 0 },
      preset("Ice", temperature, "kelvin", 273.15), preset("Room", temperature, "kelvin", 293.15),
      preset("Steam", temperature, "kelvin", 373.15), preset("Sun", temperature, "kelvin", 5772),
    }),
  quantity("Length",
    field("metres", "Metres", "length.metres | number(2)"),
    field("kilometres", "Kilometres", "length.metres | scale(0.001) | number(4)"),
    field("feet", "Feet", "length.metres | !scale(0.3048) | number(2)"),
    field("miles", "Miles", "length.metres | !scale(1609.344) | number(4)"),
    field("nautical", "Nautical miles", "length.metres | !scale(1852) | number(4)"),
    view.label { id = "walk", textColor = "cyan", margin = { 1, 0, 0, 0 }, bindTo = {
      text = "length.metres | walk",
    } },
    view.row { spacing = 1, margin = { 1, 0, 0, 0 },
      preset("Mile", length, "metres", 1609.344), preset("Everest", length, "metres", 8848.86),
      preset("Marathon", length, "metres", 42195),
    }),
} }

return view.window { title = "Converter", view.column { grow = 1, padding = { 0, 1 }, spacing = 1,
  view.row { spacing = 2,
    view.label { bold = true, text = "Converter" },
    view.label { style = "muted", text = "type into any field" },
  },
  shown,
  view.label { style = "muted",
    text = "Ctrl-C quits   Tab next   Ctrl-U empties a field   Enter presses a button" },
} }
