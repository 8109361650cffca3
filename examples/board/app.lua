-- A board of cards that several people edit at once, each in a terminal or a browser of their own:
--
--   tidelock run app.lua                                     alone
--   tidelock run app.lua --share nats://127.0.0.1:4222/board --allow net=127.0.0.1:4222 -- Ann
--
-- The name after -- is how the others see you; with --allow env=USER it may be left out. In a clone,
-- scripts/demo --shared starts a server and two terminals. Save this file while it runs, and see.

local board, people, conflicts = require "board", require "people", require "conflicts"

local isAllowed, user = pcall(os.getenv, "USER")
people.join(arg[1] or isAllowed and user or nil)

-- What the person at the keyboard has chosen: a card, or nil in an empty column.
local chosen = model "chosen" { card = property {}, column = 1, isEditing = false }
-- Where the chosen card stands in its column, or stood.
local row = 1

effect(function()
  people.me.card = chosen.card and chosen.card.id or ""
  people.me.isEditing = chosen.isEditing
end)

-- What the keys do --------------------------------------------------------------------------------

local function choose(card, column)
  batch(function()
    chosen.card = card
    chosen.column = card and board.columns[card.column].index or column or chosen.column
  end)
  views["cards" .. chosen.column]:focus()
end

-- The card in the same row of a column, or its last one.
local function enter(step)
  return function()
    local column = board.columns[chosen.column + step]
    if column then choose(column.cards[math.min(row, #column.cards)], column.index) end
  end
end

local function moveTo(index)
  if not chosen.card then return end
  board.move(chosen.card, board.columns[index])
  choose(chosen.card)
end

local function move(step)
  return function() moveTo(chosen.column + step) end
end

local function edit()
  if chosen.card then views.title:focus() end
end

local function add()
  choose(board.add(board.columns[chosen.column]))
  edit()
end

local function remove()
  if chosen.card then board.remove(chosen.card) end
end

local function leave() choose(chosen.card) end

-- Follows the chosen card where others move it. In the place of one that they have removed comes the
-- next one, unless it was being edited: what is typed must not end up in another.
effect(function()
  local card = chosen.card
  if card and board.cards:indexOf(card) then
    local column = board.columns[card.column]
    chosen.column, row = column.index, column.cards:indexOf(card)
  else
    local cards = board.columns[chosen.column].cards
    chosen.card = not chosen.isEditing and cards[math.min(row, #cards)] or nil
  end
end)

-- Words -------------------------------------------------------------------------------------------

local function colored(person, text)
  return rich.color(people.color(person), text)
end

-- Who of the others is at a card. It follows all that it reads, as transformers do.
transformer("visitors", function(id)
  local text = rich ""
  for _, person in ipairs(people.here()) do
    if person.card == id and not people.isMe(person) then
      text = text .. colored(person, (person.isEditing and " ✎ " or " ● ") .. person.name)
    end
  end
  return text
end)

transformer("firstLine", function(text) return text:match "[^\n]*" end)

local function presence()
  local text = rich ""
  for _, person in ipairs(people.here()) do
    text = text .. colored(person, "● ") .. person.name
    text = text .. rich.style("muted", people.isMe(person) and " (you)  " or "  ")
  end
  return text
end

local function changes(count) return count == 1 and "1 change" or count .. " changes" end

local function state()
  local sync = board.sync
  if sync.state == "live" then
    return sync.pending == 0 and "All saved" or "Saving " .. changes(sync.pending)
  end
  local state = sync.state == "offline" and "Offline" or "Connecting"
  return sync.pending == 0 and state or ("%s: %s kept here"):format(state, changes(sync.pending))
end

local function stateStyle()
  if board.sync.error ~= "" then return "error" end
  return board.sync.state ~= "live" and "warning" or board.sync.pending == 0 and "success" or "muted"
end

-- Views -------------------------------------------------------------------------------------------

local function cell()
  return view.cell { view.column { grow = 1, padding = { 0, 1 },
    view.label { bindTo = { text = "dataObject.title | default('')",
      style = "dataObject.column | map(done: muted, else: bold)" } },
    view.row { height = 1,
      view.label { grow = 1, style = "muted", bindTo = { text = "dataObject.notes | firstLine" } },
      view.label { bindTo = { text = "dataObject.id | visitors" } },
    },
  } }
end

local function menu()
  local items = {}
  for index, column in ipairs(board.columns) do
    items[index] = { title = "Move to " .. column.title, enabled = index ~= chosen.column,
      command = function() moveTo(index) end }
  end
  table.move({ "-", { title = "Edit", command = edit }, { title = "Remove", command = remove } },
    1, 3, #items + 1, items)
  return items
end

local function column(each)
  return view.box { grow = 1, width = 10,
    title = function() return ("%s %d"):format(each.title, #each.cards) end,
    view.list { id = "cards" .. each.index, label = each.title, grow = 1, rowHeight = 2,
      items = each.cards, cell = cell, contextMenu = menu, bindTo = { selectedObject = "chosen.card" },
      keys = {
        Enter = { title = "Edit", run = edit }, Delete = { title = "Remove", run = remove },
        Left = enter(-1), Right = enter(1),
        ["<"] = { title = "Back", run = move(-1) }, [">"] = { title = "On", run = move(1) },
        ["Alt-Left"] = move(-1), ["Alt-Right"] = move(1),
      },
      on = {
        focus = function()
          if chosen.column ~= each.index then choose(each.cards[1], each.index) end
        end,
        didSelect = function(_, event) chosen.card = event.value end,
        doubleClick = edit,
        move = function(_, event) board.order(each.cards[event.index], each.cards[event.target]) end,
      },
    },
  }
end

local function editing(isEditing)
  return function() chosen.isEditing = isEditing end
end

local editor = view.box { id = "card", title = "Card", height = 6, padding = { 0, 1 },
  enabled = function() return chosen.card ~= nil end,
  keys = { Escape = leave },
  on = { focus = editing(true), blur = editing(false) },
  view.field { id = "title", bold = true, placeholder = "what is to be done",
    bindTo = { text = { path = "<> chosen.card.title", fallback = "" } },
    on = { editingDidEndOnExit = leave } },
  view.textArea { id = "notes", grow = 1, placeholder = "notes",
    bindTo = { text = { path = "<> chosen.card.notes", fallback = "" } } },
}

local function conflict() return conflicts.all[1] end

local function answer(take)
  return function() if conflict() then take(conflict()) end end
end

local takeTheirs, keepMine = answer(conflicts.takeTheirs), answer(conflicts.keepMine)

local question = view.row { spacing = 1, hidden = function() return not conflict() end,
  view.label { id = "conflict", grow = 1, wrap = true, style = "warning",
    text = function() return conflict() and conflicts.tell(conflict()) or "" end },
  view.button { id = "theirs", title = "Take theirs",
    on = { touchUpInside = takeTheirs } },
  view.button { id = "mine", title = "Keep mine",
    on = { touchUpInside = keepMine } },
}

show(view.window { title = "Board", view.column { id = "main", grow = 1, padding = { 0, 1 },
  view.row { spacing = 2,
    view.label { bold = true, text = "Board" },
    view.label { id = "people", grow = 1, text = presence },
    view.label { id = "state", text = state, style = stateStyle },
  },
  view.row { grow = 1,
    column(board.columns[1]), column(board.columns[2]), column(board.columns[3]),
  },
  editor,
  question,
  view.label { id = "problem", style = "error", wrap = true,
    hidden = function() return board.sync.error == "" end,
    text = function() return board.sync.error end },
  view.keyBar { style = "muted" },
} })

effect(function()
  views.main.keys = {
    F2 = { title = "New", run = add },
    F4 = conflict() and { title = "Theirs", run = takeTheirs },
    F5 = conflict() and { title = "Mine", run = keepMine },
    F7 = { title = "Undo", run = function() board.history:undo() end },
    F8 = { title = "Redo", run = function() board.history:redo() end },
  }
end)

choose(chosen.card)
