-- What a line says: its level, and where in it a text or a pattern is found.

local reading = {}

-- Upper-case words count anywhere in a line; in lower case only what programs mark as a level,
-- such as `level=warn` or `[error]`.
local levels = {
  { style = "failure", "FATAL", "CRITICAL", "PANIC", "ERROR", "ERR", "E" },
  { style = "caution", "WARNING", "WARN", "W" },
  { style = "chatter", "DEBUG", "TRACE" },
}

local styles = {}
for _, level in ipairs(levels) do
  for _, word in ipairs(level) do styles[word] = level.style end
end

--- The style of a line, or nil for one that is nothing special.
function reading.style(line)
  for word in line:gmatch "%f[%w]%u%u+%f[%W]" do
    if styles[word] then return styles[word] end
  end
  -- glog and Android write a single letter at the very beginning.
  local letter = line:match "^(%u)[%d/]"
  if letter then return styles[letter] end
  local marked = line:match "level=\"?(%a+)" or line:match "%[(%a+)%]"
  return marked and styles[marked:upper()]
end

--- A function that gives where a line has the text: first and last byte, or nil. Plain text is
--- compared without regard to case unless it has capitals. Nothing at all for an empty text.
function reading.finder(text, isPattern)
  if text == "" then return nil end
  if isPattern then
    -- A mistake that only some lines bring to light must not stop the others.
    return function(line, from)
      local isFine, first, last = pcall(string.find, line, text, from)
      if isFine then return first, last end
    end
  end
  if text:find "%u" then
    return function(line, from) return line:find(text, from, true) end
  end
  return function(line, from) return line:lower():find(text, from, true) end
end

--- What is wrong with a pattern, or nil.
function reading.mistake(pattern)
  -- Each tail of the pattern, matched against itself, reads all of it.
  for from = 1, #pattern do
    local isFine, message = pcall(string.find, pattern:sub(from), pattern)
    if not isFine then return (message:gsub("^.-:%d+: ", "")) end
  end
end

--- A line as it is shown: in the colour of its level, with what was looked for marked.
function reading.decorate(line, find)
  local parts, at = {}, 1
  while find do
    local first, last = find(line, at)
    if not first or last < first then break end
    parts[#parts + 1] = line:sub(at, first - 1)
    parts[#parts + 1] = rich.style("found", line:sub(first, last))
    at = last + 1
  end
  parts[#parts + 1] = line:sub(at)
  local style = reading.style(line)
  return style and rich.style(style, parts) or rich(parts)
end

return reading
