-- A catalogue of a million stars, somewhere far away: a feed fetches the rows page by page, as
-- somebody comes near the end of those that are here. Save this file while it runs, and see.
--
-- `tidelock run app.lua -- 250` makes it a small catalogue, whose end is soon found.

local total = tonumber(arg[1]) or 1000000

-- The far side ------------------------------------------------------------------------------------

local constellations = {
  "Andromeda", "Aquila", "Aries", "Auriga", "Bootes", "Carina", "Cassiopeia", "Centaurus", "Cygnus",
  "Draco", "Gemini", "Hercules", "Hydra", "Leo", "Lyra", "Orion", "Pegasus", "Perseus", "Scorpius",
  "Taurus", "Ursa Major", "Vela", "Virgo", "Volans",
}

-- From hot to cool, with how many of a hundred there are and what colour they have: the nearest of
-- the terminal's own, which can be read on dark and light. White has none.
local classes = {
  { "O", 1, "blue" }, { "B", 3, "brightBlue" }, { "A", 6, "cyan" }, { "F", 10 },
  { "G", 15, "yellow" }, { "K", 25, "brightRed" }, { "M", 40, "red" },
}

-- The same for the same star, every time: there is no catalogue, only arithmetic.
local function chance(number, salt, most)
  local bits = number * 0x9E3779B97F4A7C15 + salt * 0xBF58476D1CE4E5B9
  bits = (bits ~ (bits >> 30)) * 0xBF58476D1CE4E5B9
  bits = (bits ~ (bits >> 27)) * 0x94D049BB133111EB
  return (bits >> 33) % most
end

local function classOf(number)
  local percent = chance(number, 1, 100)
  for _, each in ipairs(classes) do
    percent = percent - each[2]
    if percent < 0 then return each[1] end
  end
end

local function star(number)
  return object { number = number, class = classOf(number),
    name = constellations[chance(number, 2, #constellations) + 1] .. " " .. chance(number, 3, 9000),
    distance = 4 + chance(number, 4, 30000) / 10,
  }
end

-- What a server would be asked for: it takes its time, and the app runs on meanwhile.
local function fetch(offset, count)
  sleep(0.4)
  local page = {}
  for number = offset + 1, math.min(offset + count, total) do page[#page + 1] = star(number) end
  return page
end

-- This side ---------------------------------------------------------------------------------------

local stars = feed { page = 100, fetch = fetch }

-- In a model, what has been fetched is still here after a save.
local sky = model "sky" { stars = stars, chosen = property {} }

-- Live: what comes with the next page takes its place among them.
local nearest = stars:sorted("distance"):slice(1, 3)

-- How many there are of each kind.
local kinds, colors = list {}, {}
for _, each in ipairs(classes) do
  local name, color = each[1], each[3]
  colors[name] = color
  kinds:append(stars:filter(function(star) return star.class == name end))
end
local counts = kinds:map(function(those) return #those end)

transformer("starlight", function(name) return colors[name] end)

local function thousands(number)
  return (("%d"):format(number):reverse():gsub("%d%d%d", "%0 "):reverse():gsub("^ ", ""))
end

transformer("thousands", thousands)

-- A row comes into sight: if it is one of the last, the next page is wanted. While one is on its
-- way, and when there are no more, `fetchMore` does nothing.
local function comesIntoSight(_, event)
  if event.index > #stars - 30 then stars:fetchMore() end
end

-- Views -------------------------------------------------------------------------------------------

-- The letter of its kind, in its colour.
local function kind()
  return view.label { bindTo = {
    text = "dataObject.class | prefix('★ ')", textColor = "dataObject.class | starlight",
  } }
end

local columns = {
  { title = "Number", key = "number", path = "number | thousands", width = 9, align = "end" },
  { title = "Kind", key = "class", width = 6, cell = kind, sort = "class" },
  { title = "Star", path = "name", minWidth = 12 },
  { title = "Distance", key = "distance", path = "distance | format('%.1f ly')", width = 10,
    align = "end" },
}

local function near()
  return view.cell {
    view.label { grow = 1, bindTo = { text = "dataObject.name" } },
    view.label { width = 9, align = "end", style = "muted", bindTo = {
      text = "dataObject.distance | format('%.1f ly')",
    } },
  }
end

local function section(title, ...)
  return view.column { view.label { style = "muted", text = title }, ... }
end

local details = view.column { width = 26, grow = 1, minWidth = 16, maxWidth = 60, spacing = 1,
  section("Chosen",
    view.label { id = "chosen", bold = true, bindTo = {
      text = { path = "sky.chosen.name", fallback = "none yet" },
    } },
    view.label { bindTo = {
      text = { path = "sky.chosen.distance | format('light of %.0f years ago')",
        fallback = "arrow keys choose" },
    } }),
  section("Nearest of those here",
    view.list { id = "nearest", label = "Nearest", items = nearest, cell = near, rowHeight = 1, height = 3,
      focusable = false }),
  view.label { style = "muted", text = "From hot to cool" },
  view.chart { id = "kinds", kind = "bar", grow = 1, minimum = 0, scale = false,
    textColor = "cyan", values = counts, labels = { "O", "B", "A", "F", "G", "K", "M" } },
}

show(view.window { title = "Stars", view.column { grow = 1, padding = { 0, 1 }, spacing = 1,
  view.row { spacing = 2,
    view.label { bold = true, text = "Stars" },
    view.label { id = "count", style = "muted", bindTo = {
      text = "sky.stars.@count | thousands | suffix(' here')",
    } },
    view.label { style = "muted", text = "of " .. thousands(total) },
    view.spacer {},
    view.spinner { isAnimating = function() return stars.isFetching end },
    view.label { id = "state", style = "muted", text = function()
      if stars.isFetching then return "fetching" end
      return stars.hasMore and "more below" or "that is all"
    end },
  },
  view.row { grow = 1, spacing = 4,
    view.table { id = "stars", label = "Stars", grow = 2, minWidth = 18, maxWidth = 100, columns = columns,
      bindTo = { items = "sky.stars", selectedObject = "<> sky.chosen" },
      on = { willDisplay = comesIntoSight },
    },
    details,
  },
  view.label { style = "muted", text = "Ctrl-C quits   ↓ PageDown End go on   Home goes back   ← → Space sort" },
} })

if #stars == 0 then stars:fetchMore() end
views.stars:focus()
