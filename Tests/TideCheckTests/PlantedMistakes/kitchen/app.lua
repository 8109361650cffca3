-- A kitchen's screen: what is ordered, what is cooked, who is late.

local orders = require "orders"
local tickets, sounds = require "parts.tickets", require "parts.sounds"
local time = require "parts.clock"

app.theme = "night"
app.title = "Kitchen"

local screen = model "screen" { dish = property {}, table = 1, count = 1, filter = "",
  message = "", tab = 1, log = list {} }

style.define("hot", { textColor = "red" })
style.define("board", { backgroundColor = "blue", textColor = "white", dim = false })

transformer("clock", function(hours, minutes) return time.pad(hours) .. ":" .. time.pad(minutes) end)
transformer("price", { transform = function(price) return ("%.2f EUR"):format(price) end,
  reverse = function(text) return tonumber(text:match "[%d.]+") end })
transformer("shout", function(text) return text:upper() .. "!" end)

local function place()
  local order, problem = orders:place(screen.table, screen.dish or orders.menu.dishes[1], screen.count)
  screen.message = order and order:describe("Placed ") or problem
  screen.count = 1
end

local function rush()
  local order = orders:rush(screen.table, orders.menu.dishes[1], "a guest waits")
  screen.message = order.reason
  sounds.bell()
end

local function note(text) screen.log:append({ text = text, at = now() }) end

local menuView = view.table { id = "menu", grow = 1, items = orders.menu.dishes,
  columns = {
    { title = "Dish", path = "name", grow = 1 },
    { title = "Price", path = "price | price", width = 10, align = "end" },
    { title = "Minutes", path = "minutes", width = 8 },
    "station",
  },
  selectionMode = "one", bindTo = { selectedObject = "<> screen.dish", sort = "menuOrder.value" },
  on = { doubleClick = place },
}

local menuOrder = model "menuOrder" { value = "-price" }

local form = view.grid { columns = { 8, "*" }, spacing = 1,
  view.label { text = "Table" },
  view.numberField { id = "table", minimum = 1, maximum = 40, decimals = 0,
    bindTo = { value = "<> screen.table" } },
  view.label { text = "Count" },
  view.slider { id = "count", minimum = 1, maximum = 9, step = 1, bindTo = { value = "<> screen.count" } },
  view.label { text = "Chef" },
  view.field { id = "chef", bindTo = { text = "<> kitchen.chef" } },
}

local status = view.row { spacing = 2,
  view.label { id = "time", bindTo = { text = "clock.hours | clock(0)" } },
  view.label { id = "state", style = "muted", bindTo = { text = "kitchen.sync.state" } },
  view.label { bindTo = { text = "kitchen.orders.@count | plural(order, orders)" } },
  view.label { bindTo = { text = "menu.dishes.@avg.price | price" } },
  view.label { bindTo = { text = "menu.dishes[1].name | shout" } },
  view.toggle { id = "open", title = "open", bindTo = { isOn = "<> kitchen.isOpen" } },
}

local ticketList = view.list { id = "tickets", grow = 1, cell = tickets.cell, rowHeight = 1,
  bindTo = { items = "kitchen.orders" },
  on = {
    didSelect = function(_, event) orders.serve(event.value) end,
    move = function(_, event) orders.all:move(event.index, event.target) end,
  } }

local logView = view.list { id = "log", height = 4, items = screen.log, followsEnd = true,
  cell = function(line)
    return view.cell { view.label { bindTo = { text = "dataObject.text" } } }
  end }

local saved = binding "message <> text"
local message = view.field { id = "message", editable = false, tooltip = "What was done last" }
saved:connect(screen, message)
saved:add(trigger.notification("placed"))

bind("count -> text", screen, view.label {}, { trigger = trigger.event(ticketList, "didSelect"),
  transform = "number(0)" })
bind("filter -> placeholder", screen, message, { when = function() return screen.filter ~= "" end,
  restore = true, fallback = "all", throttle = 0.5 })
bind("note <> text", orders.all[1], view.field {}, { transform = { "suffix('.')", "prefix('> ')" },
  initial = false, trigger = { trigger.change(screen, "tab"), trigger.every(5) } })

local first = ref(orders.menu, "season", "uppercase")
bind("value -> text", first, view.label {})

on(orders.kitchen, "conflict", function(event)
  note(("%s: %s or %s"):format(event.property, event.mine, event.theirs))
end)
on(menuView, "sort", function() note("sorted") end)
notification.observe("placed", function(notice) note("placed for " .. notice.sender.table) end)
observe(time.clock, "minutes", function(minutes) time.clock.isLate = minutes > 55 end)
context(screen, "late", { policy = "replace" }, function()
  effect(function() if time.clock.isLate then note("late") end end)
end)

local history = undo.manager { orders.menu, limit = 20 }
local waiting = spawn(function() sleep(1) note("ready") end)

return view.window { title = "Kitchen", view.column { id = "main", padding = { 0, 1 }, grow = 1,
  keys = {
    F2 = { title = "Order", run = place }, F3 = { title = "Rush", run = rush },
    F4 = { title = "Gong", run = sounds.gong }, F9 = { title = "Clear", run = orders.clear },
    ["Ctrl-Z"] = function() history:undo() end, ["Shift-F2"] = function() waiting:cancel() end,
    PageDown = function() views.tickets:scrollTo(#orders.all) end,
  },
  status,
  view.tabs { id = "tabs", grow = 1, titles = { "Orders", "Menu" }, bindTo = { selected = "<> screen.tab" },
    view.column { grow = 1, ticketList, logView },
    view.column { grow = 1, menuView, form,
      view.dish { id = "special", name = "Fig tart", price = 6.5, isHot = true,
        on = { ordered = rush, removed = function() note("removed") end } },
    },
  },
  view.row { spacing = 1, message, tickets.button(),
    view.button { id = "stop", title = "Stop", style = "board",
      on = { touchUpInside = time.stop, focus = function() note(menuOrder.value) end } },
  },
  view.menu { items = {
    { title = "Kitchen", items = {
      { title = "Open", key = "Alt-1", command = function() views.open.isOn = true end },
      { title = "Tables", command = function() views.table:focus() views.chef.enabled = false end },
    } },
  } },
} }
