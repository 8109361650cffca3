-- Comma-separated values, as spreadsheets write them, row by row: a file of any length can be read
-- in turns.

local csv = {}

--- An iterator over the rows of a text: each is a table of fields, with the number of its line and
--- how many bytes have been read by then. A field in quotes may hold separators, line ends, and two quotes
--- for one; without its closing quote it goes on to the end of the text.
function csv.rows(text)
  -- Where a comma is the decimal sign, semicolons separate.
  local head = text:match "^[^\n]*"
  local separator = head:find "\t" and "\t" or head:find ";" and ";" or ","
  local ending = "[" .. separator .. "\n]"
  local at, line = text:find "^\u{feff}" and 4 or 1, 1

  local function field()
    if text:byte(at) ~= 34 then
      local after = text:find(ending, at) or #text + 1
      local value = text:sub(at, after - 1)
      at = after
      return value
    end
    local from, after = at + 1
    repeat
      after = text:find('"', from, true) or #text + 1
      from = after + 2
    until text:byte(after + 1) ~= 34
    local value = text:sub(at + 1, after - 1)
    local _, breaks = value:gsub("\n", "")
    line = line + breaks
    at = text:find(ending, after + 1) or #text + 1
    return (value:gsub('""', '"'))
  end

  return function()
    while at <= #text do
      local row, first = {}, line
      repeat
        row[#row + 1] = field():match "^%s*(.-)%s*$"
        local isMore = text:byte(at) == separator:byte()
        at = at + 1
      until not isMore
      line = line + 1
      if #row > 1 or row[1] ~= "" then return row, first, math.min(at - 1, #text) end
    end
  end
end

return csv
