-- The lines in which two texts differ, with some that are the same around them.

local diff = {}
local around = 2
-- Beyond so many pairs of lines, what is between the first and the last difference counts as
-- changed.
local largest = 1000000

local function lines_of(text)
  local lines = {}
  for line in (text .. '\n'):gmatch '(.-)\n' do
    lines[#lines + 1] = line
  end
  return lines
end

-- How long the longest common part of the rest is, from each pair of positions.
local function lengths(old, new, first, old_last, new_last)
  local rows = {}
  for i = old_last + 1, first, -1 do
    local row, below = {}, rows[i + 1]
    for j = new_last + 1, first, -1 do
      if i > old_last or j > new_last then
        row[j] = 0
      elseif old[i] == new[j] then
        row[j] = below[j + 1] + 1
      else
        row[j] = math.max(below[j], row[j + 1])
      end
    end
    rows[i] = row
  end
  return rows
end

local function edits(old, new)
  local first, old_last, new_last = 1, #old, #new
  while first <= old_last and first <= new_last and old[first] == new[first] do
    first = first + 1
  end
  while old_last >= first and new_last >= first and old[old_last] == new[new_last] do
    old_last, new_last = old_last - 1, new_last - 1
  end
  local found = {}
  local function add(mark, line) found[#found + 1] = { mark, line } end
  for i = 1, first - 1 do
    add(' ', old[i])
  end
  local rows
  if (old_last - first + 1) * (new_last - first + 1) <= largest then
    rows = lengths(old, new, first, old_last, new_last)
  end
  local i, j = first, first
  while i <= old_last or j <= new_last do
    if rows and i <= old_last and j <= new_last and old[i] == new[j] then
      add(' ', old[i])
      i, j = i + 1, j + 1
    elseif i <= old_last and (j > new_last or not rows or rows[i + 1][j] >= rows[i][j + 1]) then
      add('-', old[i])
      i = i + 1
    else
      add('+', new[j])
      j = j + 1
    end
  end
  for k = old_last + 1, #old do
    add(' ', old[k])
  end
  return found
end

--- Gives the text of the difference: `- ` before lines that are gone, `+ ` before new ones.
function diff.text(old, new)
  local found = edits(lines_of(old), lines_of(new))
  local shown = {}
  for index, edit in ipairs(found) do
    if edit[1] ~= ' ' then
      for near = math.max(1, index - around), math.min(#found, index + around) do
        shown[near] = true
      end
    end
  end
  local texts, gap = {}, false
  for index, edit in ipairs(found) do
    if shown[index] then
      texts[#texts + 1] = edit[1] .. ' ' .. edit[2]
      gap = false
    elseif not gap then
      texts[#texts + 1] = '  …'
      gap = true
    end
  end
  return table.concat(texts, '\n')
end

return diff
