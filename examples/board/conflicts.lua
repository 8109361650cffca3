-- What two people did at once. Of two values the later one stands, and whoever wrote it is asked here
-- whether the other's shall. Where one has removed a card that another changed, one of the two is
-- asked whether it shall stay removed.

local board = require "board"

local conflicts = model "conflicts" { all = list {} }

local isProperty = { title = true, notes = true, column = true }

local function isRemoved(card) return not board.cards:indexOf(card) end

-- While one types, each letter may be in conflict; the last of them says it all.
local function note(card, property, mine, theirs)
  for _, other in ipairs(conflicts.all) do
    if other.card == card and other.property == property then
      other.mine, other.theirs = mine, theirs
      return
    end
  end
  conflicts.all:append(object { card = card, property = property, mine = mine, theirs = theirs })
end

on(board.model, "conflict", function(event)
  local card, property = event.row, event.property
  if not card then return end
  if not isRemoved(card) then
    if isProperty[property] then note(card, property, event.mine, event.theirs) end
  elseif event.mine == nil then
    -- Whoever has removed a card may put it back as the others have made it.
    if isProperty[property] then card[property] = event.theirs end
    note(card, "removal", "removed", "changed")
  else
    note(card, "removal", "changed", "removed")
  end
end)

local function putBack(card)
  undo.group("Put back", function() board.cards:append(card) end)
end

local function takeTheirs(conflict)
  local card, property = conflict.card, conflict.property
  if isProperty[property] then
    undo.group("Take theirs", function() card[property] = conflict.theirs end)
  elseif conflict.theirs == "changed" and isRemoved(card) then
    putBack(card)
  end
  conflicts.all:removeObject(conflict)
end

local function keepMine(conflict)
  if conflict.mine == "changed" and isRemoved(conflict.card) then putBack(conflict.card) end
  conflicts.all:removeObject(conflict)
end

-- How people say a value.
local function words(property, value)
  local column = property == "column" and board.columns[value]
  return column and column.title or "“" .. tostring(value):gsub("%s+", " ") .. "”"
end

local function tell(conflict)
  local property = conflict.property
  if not isProperty[property] then
    local text = conflict.mine == "removed" and "You removed %s while somebody changed it."
      or "Somebody removed %s while you changed it."
    return text:format(words("title", conflict.card.title))
  end
  return ("Two changed the %s at once. Yours: %s, theirs: %s."):format(property,
    words(property, conflict.mine), words(property, conflict.theirs))
end

return { all = conflicts.all, tell = tell, takeTheirs = takeTheirs, keepMine = keepMine }
