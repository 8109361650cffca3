-- The law of edited records, by what a spec has: each character and each press is in the record that was
-- on the screen under it when the editing began; it is nowhere else. The model knows which view is
-- edited, and which record that began with.

local WORLD, FIRST, LAST = "selection", 1, 3  -- Who runs it says which.
local STEPS = 60

-- By class, or by id where there is one.
local controlNames = {
  field = "text", numberField = "number", stepper = "rank", checkbox = "switch",
  name = "text", area = "text", amount = "number", rank = "rank", done = "switch" }

local function has(object, name) return (pcall(function() return object[name] end)) end

-- The record under a view: that of its row, else the one beside the rows; 0 for none.
local function recordUnder(of)
  local at = of.superview
  while at and at ~= views.root do
    -- A cell has both.
    if has(at, "index") and has(at, "selected") then
      local row = at.dataObject
      return row and has(row, "id") and row.id or 0
    end
    at = at.superview
  end
  return shown()
end

local function play(seed)
  local state = seed * 7919 + 17
  local function random(count)
    state = state * 6364136223846793005 + 1442695040888963407
    return ((state >> 33) & 0x7fffffff) % count + 1
  end

  ui.mount("app.lua", { size = "50x34", arg = { WORLD } })
  local ranks, switches, amounts, letters, log = {}, {}, {}, {}, {}
  for id = 1, 7 do ranks[id], switches[id], amounts[id] = id, false, 1 end
  local edit, current, nextLetter, count = {}, nil, 0x4E00, 7

  local function note(...) log[#log + 1] = string.format(...) end

  local function settle()
    ui.snapshot()
    if edit.view and not edit.view.focused then edit = {} end
    if not edit.record then return end
    if isThere(edit.record) then
      edit.isListed = true
    elseif edit.isListed then
      edit.record, edit.isLost = nil, true
    else
      -- The record was removed before. The person goes elsewhere, since it may return.
      edit = {}
      ui.press "Tab"
      ui.snapshot()
    end
  end

  local function target(of)
    if of ~= edit.view or not edit.record and not edit.isLost then
      local id = recordUnder(of)
      edit = { view = of, record = id ~= 0 and id or nil, isListed = id ~= 0 and isThere(id) }
    end
    return edit.record
  end

  local function controls()
    local found = {}
    local function walk(at)
      local kind = controlNames[tostring(at):match("^%a+")]
      if kind then found[#found + 1] = { view = at, kind = kind } end
      for _, below in ipairs(at.subviews) do walk(below) end
    end
    walk(views.root)
    return found
  end

  local function goToControl()
    local all = controls()
    if #all == 0 then return end
    current = all[random(#all)]
    note("goes to %s", current.view)
    if not pcall(ui.focus, current.view) then current = nil return end
    settle()
    if not current.view.focused then current = nil end
  end

  local function act()
    if not current or not current.view.focused or random(4) == 1 then goToControl() end
    if not current then return end
    local at, kind = current.view, current.kind
    local before = edit
    local record = target(at)
    note("%s of %s", kind, record)
    if kind == "text" then
      nextLetter = nextLetter + 1
      local letter = utf8.char(nextLetter)
      letters[#letters + 1] = { text = letter, record = record }
      local enter = random(3) == 1 and ui.paste or ui.type
      enter(at, letter)
    elseif kind == "number" then
      if record then
        -- Nothing is done.
        if amounts[record] > 99999 then edit = before return end
        amounts[record] = amounts[record] * 10 + 7
      end
      ui.press "End"
      ui.type(at, "7")
    elseif kind == "rank" then
      if record then ranks[record] = ranks[record] + 1 end
      ui.press "Up"
    else
      if record then switches[record] = not switches[record] end
      ui.press "Space"
    end
    settle()
  end

  local function run(text)
    note("%s", text)
    assert(load(text))()
    settle()
  end

  local writes = {
    function(row) run(("all[%d].name = 'w' .. all[%d].name"):format(row, row)) end,
    function() run(("desk.which = %d"):format(random(4) - 1)) end,
    function() if c then run(("c.sort = orders[%d]"):format(random(4))) end end,
    function(row) run(("rows:removeObject(all[%d])"):format(row)) end,
    function()
      count = count + 1
      ranks[count], switches[count], amounts[count] = count, false, 1
      run(("rows:insert(1, make(%d))"):format(count))
    end,
    function() run "if #rows > 1 then rows:move(1, #rows) end" end,
    function()
      run "local t = {} for _, r in ipairs(rows) do table.insert(t, 1, r) end rows:set(t)"
    end,
    function(row) run(("all[%d].key = all[%d].key + 1"):format(row, row)) end,
  }

  local function undo()
    local word = random(2) == 1 and "undo" or "redo"
    local before = shown()
    run(("history:%s()"):format(word))
    -- What is selected may be what was selected before.
    if shown() ~= before and not edit.isLost then edit = {} end
    -- What is taken back is in no record; it is in no other one either.
    count, ranks, switches, amounts = #all, {}, {}, {}
    for id = 1, count do
      ranks[id], switches[id], amounts[id] = all[id].rank, all[id].done, all[id].amount
    end
    for _, letter in ipairs(letters) do letter.isUndone = true end
  end

  local function check(step)
    local function fail(text, ...)
      error(("%s; %s, seed %d, step %d, after %s"):format(
        text:format(...), WORLD, seed, step, table.concat(log, ", ", math.max(1, #log - 20))), 0)
    end
    for id = 1, count do
      local row = all[id]
      if row.rank ~= ranks[id] then fail("rank of %d is %s, not %s", id, row.rank, ranks[id]) end
      if row.done ~= switches[id] then fail("switch of %d is %s", id, row.done) end
      if row.amount ~= amounts[id] then
        fail("amount of %d is %s, not %s", id, row.amount, amounts[id])
      end
      for _, letter in ipairs(letters) do
        local isThere = row.name:find(letter.text, 1, true) ~= nil
        if isThere and id ~= letter.record
          or not isThere and id == letter.record and not letter.isUndone
        then
          fail("%s in %d: %s, and its record is %s", letter.text, id, isThere, letter.record)
        end
      end
    end
  end

  for step = 1, STEPS do
    local kind = random(20)
    if kind <= 10 then
      act()
    elseif kind == 11 then
      note("Tab")
      ui.press(random(2) == 1 and "Tab" or "Shift-Tab")
      settle()
    elseif kind == 12 then
      local before = shown()
      run(("select(%d)"):format(random(4)))
      if shown() ~= before and not edit.isLost then edit = {} end
    elseif kind == 13 and c then
      run "c:commitEditing()"
      if not edit.isLost then edit = {} end
    elseif kind == 14 then
      undo()
    else
      writes[random(#writes)](random(count))
    end
    check(step)
  end
end

describe("the law of edited records", function()
  for seed = FIRST, LAST do
    it(WORLD .. " " .. seed, function() play(seed) end)
  end
end)
