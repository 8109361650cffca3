-- The cards, which are the same for all who look at the board, and what is done with them.

-- Each card is a row of its own: what two people change in different cards, or in different
-- properties of one, is merged.
local Card = class "Card" {
  -- By which others say where they are; objects are each runtime's own.
  id = "",
  title = "", notes = "", column = "todo",
}

-- Whoever declares it first begins the board; what others find is what is there by then.
local board = shared("board", {
  cards = list {
    Card { id = "boat", title = "Paint the boat", notes = "Blue, as it was." },
    Card { id = "oil", title = "Buy lamp oil", notes = "A can or two." },
    Card { id = "letter", title = "Answer Ada's letter" },
    Card { id = "table", title = "Read the tide table", column = "doing",
      notes = "Spring tide on Friday." },
    Card { id = "plants", title = "Water the plants", column = "done" },
    Card { id = "clock", title = "Wind the clock", column = "done" },
  },
})

-- Steps are what was done here; others undo what is theirs.
local history = undo.manager { board, name = "history" }

local columns = {}
for index, each in ipairs {
  { name = "todo", title = "To do" }, { name = "doing", title = "Doing" },
  { name = "done", title = "Done" },
} do
  each.cards = board.cards:filter(function(card) return card.column == each.name end)
  columns[index], columns[each.name] = each, each
  each.index = index
end

local function add(column)
  local card = Card { id = ("%x"):format(math.random(0)), column = column.name }
  undo.group("New card", function() board.cards:append(card) end)
  return card
end

local function remove(card)
  undo.group("Remove", function() board.cards:removeObject(card) end)
end

-- Puts a card behind those of another column.
local function move(card, column)
  if not column or card.column == column.name then return end
  undo.group("Move", function()
    card.column = column.name
    board.cards:move(board.cards:indexOf(card), #board.cards)
  end)
end

-- Puts a card where another one of its column is.
local function order(card, other)
  if not other then return end
  undo.group("Order", function()
    board.cards:move(board.cards:indexOf(card), board.cards:indexOf(other))
  end)
end

return {
  cards = board.cards, sync = board.sync, model = board, history = history, columns = columns,
  add = add, remove = remove, move = move, order = order,
}
