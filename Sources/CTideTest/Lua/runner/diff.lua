-- The lines in which two texts differ, with some equal lines around them. After omitted lines, a
-- line gives the line numbers at which both texts continue, as in unified diffs: `@@ -10 +12 @@`.

local diff = {}
local around = 2
-- The length at which lines are cut, and the most lines to show.
local longest_line, most_lines = 200, 200
-- Above this number of pairs of lines, everything between the first and the last difference counts
-- as changed.
local largest = 1000000

local function lines_of(text)
  local lines = {}
  for line in (text .. '\n'):gmatch '(.-)\n' do
    lines[#lines + 1] = line
  end
  return lines
end

-- The length of the longest common subsequence of the rest, from each pair of positions.
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

-- The counterpart of a changed line: the first removed line corresponds to the first added one.
local function replacement(found, index)
  local mark = found[index][1]
  if mark == ' ' then return end
  local first = index
  while first > 1 and found[first - 1][1] == mark do
    first = first - 1
  end
  local other
  if mark == '-' then
    local last = index
    while found[last + 1] and found[last + 1][1] == '-' do
      last = last + 1
    end
    other = found[last + 1 + index - first]
  else
    local start = first
    while start > 1 and found[start - 1][1] == '-' do
      start = start - 1
    end
    other = start + index - first < first and found[start + index - first]
  end
  return other and other[1] ~= mark and other[1] ~= ' ' and other[2] or nil
end

-- A line as it is shown. A long line is cut to the part around the first difference.
local function shown_line(found, index)
  local line = found[index][2]
  if #line <= longest_line then return line end
  local contrast = require 'luassert.contrast'
  local other = replacement(found, index)
  return contrast.excerpt(line, other and contrast.first_difference(line, other) or 1)
end

--- Returns the text of the difference: `- ` before removed lines, `+ ` before added ones.
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
  local texts, is_gap, old_line, new_line, count = {}, false, 1, 1, 0
  for index, edit in ipairs(found) do
    if shown[index] and count == most_lines then
      texts[#texts + 1] = '… and more'
      break
    elseif shown[index] then
      if is_gap then texts[#texts + 1] = ('@@ -%d +%d @@'):format(old_line, new_line) end
      texts[#texts + 1] = edit[1] .. ' ' .. shown_line(found, index)
      is_gap, count = false, count + 1
    else
      is_gap = true
    end
    if edit[1] ~= '+' then old_line = old_line + 1 end
    if edit[1] ~= '-' then new_line = new_line + 1 end
  end
  return table.concat(texts, '\n')
end

return diff
