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

-- From hot to cool, with how many of a hundred there are and what colour they have.
local classes = {
  { "O", 1, "#7aa2ff" }, { "B", 3, "#a2c0ff" }, { "A", 6, "#d5e0ff" }, { "F", 10, "#fff8e7" },
  { "G", 15, "#ffe27a" }, { "K", 25, "#ffb56c" }, { "M", 40, "#ff7a5a" },
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

local Kind = class "Kind" { name = "", color = "", stars = property {},
  count = computed(function(self) return #self.stars end),
}

local kinds, colors = list {}, {}
for _, each in ipairs(classes) do
  local name, color = each[1], each[3]
  colors[name] = color
  kinds:append(Kind { name = name, color = color,
    stars = stars:filter(function(one) return one.class == name end),
  })
end

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

local function starlight(path)
  return view.label { width = 1, text = "★", bindTo = { textColor = path .. " | starlight" } }
end

local function distance(width)
  return view.label { width = width, align = "end", bindTo = {
    text = "dataObject.distance | format('%.1f ly')",
  } }
end

local function row()
  return view.cell {
    view.label { width = 9, align = "end", style = "muted", bindTo = {
      text = "dataObject.number | thousands",
    } },
    starlight("dataObject.class"),
    view.label { grow = 1, bindTo = { text = "dataObject.name" } },
    distance(10),
  }
end

local function near()
  return view.cell {
    starlight("dataObject.class"),
    view.label { grow = 1, bindTo = { text = "dataObject.name" } },
    distance(8),
  }
end

local function kind()
  return view.cell {
    view.label { width = 1, bindTo = { text = "dataObject.name" } },
    view.progress { grow = 1, bindTo = {
      value = "dataObject.count", maximum = "sky.stars.@count", textColor = "dataObject.color",
    } },
    view.label { width = 7, align = "end", bindTo = { text = "dataObject.count | thousands" } },
  }
end

show(view.column { grow = 1,
  view.row { backgroundColor = "#1d2b53", textColor = "white", padding = { 0, 1 },
    view.label { bold = true, text = "Stars" },
    view.spacer {},
    view.label { id = "count", bindTo = {
      text = "sky.stars.@count | thousands | suffix(' here')",
    } },
    view.label { text = " of " .. thousands(total) },
  },
  view.row { grow = 1,
    view.box { title = "Catalogue", grow = 1, padding = { 0, 1 },
      view.list { id = "stars", cell = row, rowHeight = 1, height = 4, grow = 1,
        bindTo = { items = "sky.stars", selectedObject = "<> sky.chosen" },
        on = { willDisplay = comesIntoSight },
      },
    },
    view.column { width = 31,
      view.box { title = "Chosen", padding = { 0, 1 },
        view.row { spacing = 1,
          starlight("sky.chosen.class"),
          view.label { id = "chosen", bold = true, grow = 1, bindTo = {
            text = { path = "sky.chosen.name", fallback = "none yet" },
          } },
        },
        view.label { style = "muted", bindTo = {
          text = { path = "sky.chosen.distance | format('light of %.0f years ago')",
            fallback = "arrow keys choose" },
        } },
      },
      view.box { title = "Nearest of those here", padding = { 0, 1 },
        view.list { id = "nearest", items = nearest, cell = near, rowHeight = 1, height = 3,
          grow = 0, focusable = false },
      },
      view.box { title = "From hot to cool", grow = 1, padding = { 0, 1 },
        view.list { id = "kinds", items = kinds, cell = kind, rowHeight = 1, focusable = false },
      },
    },
  },
  view.row { spacing = 1, padding = { 0, 1 },
    view.label { id = "state", width = 12,
      text = function()
        if stars.isFetching then return "fetching …" end
        return stars.hasMore and "more below" or "that is all"
      end,
      style = function()
        return stars.isFetching and "warning" or stars.hasMore and "muted" or "success"
      end,
    },
    view.spacer {},
    view.label { style = "muted", text = "↓ PageDown End go on, Home goes back, Ctrl-C leaves" },
  },
})

if #stars == 0 then stars:fetchMore() end
views.stars:focus()
