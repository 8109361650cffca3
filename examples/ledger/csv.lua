-- Comma-separated values, as spreadsheets and banks write them.

local csv = {}

--- Rows of fields. A field in quotes may hold separators and line ends, and two quotes for one.
function csv.rows(text)
  -- Where a comma is the decimal sign, semicolons separate.
  local separator = text:match "^[^\n]*;" and ";" or ","
  local rows, row, at = {}, {}, 1
  text = text:gsub("^\u{feff}", ""):gsub("\r\n?", "\n")
  while at <= #text do
    local field, after
    if text:sub(at, at) == '"' then
      local from = at + 1
      repeat
        after = text:find('"', from, true)
        if not after then return nil, ("a quote in row %d is never closed"):format(#rows + 1) end
        from = after + 2
      until text:sub(after + 1, after + 1) ~= '"'
      field, after = text:sub(at + 1, after - 1):gsub('""', '"'), after + 1
    else
      after = text:find("[" .. separator .. "\n]", at) or #text + 1
      field = text:sub(at, after - 1)
    end
    row[#row + 1] = field:match "^%s*(.-)%s*$"
    if text:sub(after, after) ~= separator then
      if #row > 1 or row[1] ~= "" then rows[#rows + 1] = row end
      row = {}
    end
    at = after + 1
  end
  if #row > 0 then rows[#rows + 1] = row end
  return rows
end

return csv
