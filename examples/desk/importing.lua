-- Reads devices from comma-separated values: in turns, so that everybody goes on working meanwhile,
-- with a bar that tells how far it is, and as one step of undo however long it takes.

local csv, desk = require "csv", require "desk"

-- How many rows a turn takes, and for how many seconds others have their turn then.
local rowsOfTurn, pause = 500, 0.005

local progress = model "importing" {
  isShown = false, path = "", text = "",
  isRunning = false, isToStop = false,
  -- From 0 to 1.
  done = 0,
  message = "",
}

local columns = { "tag", "name", "kind", "place", "note" }

-- Which column has what: from a heading that names them, in any order, else as they stand above.
local function heading(row)
  local known, found = {}, false
  for _, name in ipairs(columns) do known[name] = true end
  local order = {}
  for index, title in ipairs(row) do
    local name = title:lower()
    if known[name] then order[index], found = name, true end
  end
  return found and order or nil
end

local function fields(row, order)
  local given = {}
  for index, text in ipairs(row) do
    if order[index] and text ~= "" then given[order[index]] = text end
  end
  return given
end

-- Adds what is new and changes what has a tag that is known; gives how many of each, and the first
-- line that is neither.
local function read(text)
  local byTag = {}
  for _, device in ipairs(desk.data.devices) do byTag[device.tag] = device end
  local order, batch, result = columns, {}, { added = 0, changed = 0, wrong = 0 }
  local count = 0

  local function finish(bytes)
    if #batch > 0 then desk.data.devices:append(table.unpack(batch)) end
    batch, progress.done = {}, bytes / #text
  end

  for row, line, bytes in csv.rows(text) do
    if progress.isToStop then break end
    local names = line == 1 and heading(row)
    if names then
      order = names
    else
      local given = fields(row, order)
      local device = given.tag and byTag[given.tag]
      if not given.tag or not device and not given.name then
        result.wrong = result.wrong + 1
        result.line = result.line or line
      elseif device then
        for name, value in pairs(given) do device[name] = value end
        result.changed = result.changed + 1
      else
        given.id = desk.newId()
        device = desk.Device(given)
        byTag[given.tag], batch[#batch + 1] = device, device
        result.added = result.added + 1
      end
    end
    count = count + 1
    if count % rowsOfTurn == 0 then
      finish(bytes)
      sleep(pause)
    end
  end
  if not progress.isToStop then finish(#text) end
  return result
end

local function tell(result)
  local text = ("%d added, %d changed"):format(result.added, result.changed)
  if progress.isToStop then text = "Stopped: " .. text end
  if result.wrong > 0 then
    text = ("%s, %d without a tag or a name, the first in line %d"):format(text, result.wrong,
      result.line)
  end
  return text
end

local importing = { progress = progress }

--- Imports what stands in the dialog. It waits, as a handler may.
function importing.run()
  if progress.isRunning or progress.text == "" then return end
  progress.isRunning, progress.isToStop, progress.done, progress.message = true, false, 0, ""
  local isGood, result = pcall(undo.group, "Import", function() return read(progress.text) end)
  progress.isRunning = false
  progress.message = isGood and tell(result) or tostring(result)
  if isGood then
    desk.note("imported devices: %s", progress.message)
    progress.text = ""
  end
end

function importing.stop() progress.isToStop = true end

--- Reads a file at the server, which waits as well.
function importing.readFile()
  local isRead, found = pcall(file.read, progress.path)
  progress.message = isRead and "" or tostring(found)
  if isRead then progress.text = found end
end

return importing
