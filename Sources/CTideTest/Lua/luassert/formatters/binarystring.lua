-- A formatter that shows strings as bytes, for binary data:
--
--   assert:add_formatter(require "luassert.formatters.binarystring")

local COLUMNS, HALF = 16, 8

-- Two groups of eight cells with a gap between them, padded to the full width.
local function row(cells, width, separator, gap)
  local groups = {}
  for first = 1, COLUMNS, HALF do
    local group = {}
    for i = first, first + HALF - 1 do
      group[#group + 1] = cells[i] or (" "):rep(width)
    end
    groups[#groups + 1] = table.concat(group, separator)
  end
  return table.concat(groups, gap)
end

return function(value)
  if type(value) ~= "string" then
    return nil
  end
  local lines = { ("Binary string length; %d bytes"):format(#value) }
  for first = 1, #value, COLUMNS do
    local bytes, letters = {}, {}
    for i = first, math.min(first + COLUMNS - 1, #value) do
      local byte = value:byte(i)
      bytes[#bytes + 1] = ("%2x"):format(byte)
      letters[#letters + 1] = byte < 32 and "." or string.char(byte)
    end
    lines[#lines + 1] = row(bytes, 2, " ", "   ") .. "  " .. row(letters, 1, "", " ")
  end
  return table.concat(lines, "\n") .. "\n"
end
