-- Determines which lines of a text count for coverage, by the rules of luacov (0.17), so that both
-- report the same numbers. luacov uses the text of each line, not the compiled code. It converts a
-- line to a short form, and looks it up in two lists:
--
--   local total = sum(list, "all")   -->   local x = x(x, '')
--
-- Names become `x`, numbers `0`, `nil`, `true` and `false` `n`, `t` and `f`, and each end of a
-- string `'`. The parameters of a function are omitted.

local words = { ['nil'] = 'n', ['true'] = 't', ['false'] = 'f' }
for word in ([[and break do else elseif end for function goto if in local not or repeat return then
  until while]]):gmatch '%a+' do
  words[word] = word
end

-- In the forms below `{=}`, `{(}` and `{)}` may have blanks around them.
local parts = {
  ['{=}'] = ' ?= ?', ['{(}'] = ' ?%( ?', ['{)}'] = ' ?%) ?',
  -- A name, indexed once or not at all; two or more names; a key of a table; opening brackets.
  ['{ID}'] = "x ?[%[%.]? ?[ntfx0']* ?%]?", ['{IDS}'] = 'x ?, ?x[x, ]*',
  ['{KEY}'] = "%[? ?[ntfx0']+ ?%]?", ['{OPEN}'] = '[ %(]*',
}

local function forms(list)
  for index, form in ipairs(list) do
    list[index] = '^ *' .. form:gsub('{[%u=%(%)]+}', parts) .. ' *$'
  end
  return list
end

-- Lines that never count, because they contain no significant code.
local never = forms {
  '', 'end[,; %)]*', 'else', 'repeat', 'do', 'if', 'then', 'while t do', 'if t then', 'local x',
  'local x{=}', 'local {IDS}', 'local {IDS}{=}', 'local function x',
}

-- Lines that count only if they ran: Lua emits code for some of them, and for others not.
local when_run = forms {
  "[ntfx0',= ]+,", '{ ?} ?,', '{KEY}{=}.+[,;]', '{KEY}{=}function', "{KEY}{=}{OPEN}'",
  'return function', 'function', '[ntfx0]', "''", '{ ?}', '{ID}', 'local x{=}function',
  "local x{=}{OPEN}'", 'local x{=}{(}{OPEN}', 'local {IDS}{=}{(}{OPEN}', 'local x{=}n',
  "{ID}{=}{OPEN}'", '{ID}{=}function', '} ?,', '} ?, ?function', 'break', '{', '}?[ %)]*',
  "[ntf0']+ ?}[ %)]*", 'goto [%w_]+', '::[%w_]+::',
}

local function is_one_of(list, line)
  for _, form in ipairs(list) do
    if line:find(form) then return true end
  end
  return false
end

-- MARK: Short forms

-- The state at the start of a line: `quote`, the equals signs of a long bracket (`level`, with
-- `isComment`), whether the parameters of a function are open, and whether lines count
-- (`isEnabled`).

-- Each of these reads from a position, and returns the next position, or nil if the line ends
-- first.
local function after_string(open, line, at, out)
  local pattern = '(\\*)%1' .. open.quote
  local _, last = line:find('^' .. pattern, at)
  if not last then
    _, last = line:find('[^\\]' .. pattern, at)
  end
  if not last then return end
  open.quote = nil
  out[#out + 1] = "'"
  return last + 1
end

local function after_bracket(open, line, at, out)
  local _, last = line:find(']' .. open.level .. ']', at, true)
  if not last then return end
  if not open.isComment then out[#out + 1] = "'" end
  open.level, open.isComment = nil, false
  return last + 1
end

local function after_parameters(open, line, at)
  local last = line:find(')', at, true)
  if not last then return end
  open.isInParameters = false
  return last + 1
end

local function after_number(line, at, out)
  out[#out + 1] = '0'
  at = line:match('^0[xX]()', at) or at
  at = line:match('^[%x%.]*()', at)
  local exponent = line:match('^[eEpP][%+%-]()', at)
  return exponent and line:match('^[%x%.]*()', exponent) or at
end

local function after_comment(open, line, at, out)
  local level, next = line:match('^%[(=*)%[()', at)
  if level then
    open.level, open.isComment = level, true
    return next
  end
  local word = line:match('^%s*luacov:%s*(%a+)%s*$', at)
  if word == 'enable' then open.isEnabled = true end
  if word == 'disable' then open.isEnabled = false end
end

local function after_token(open, line, at, out)
  local next = line:match('^%s+()', at)
  if next then
    out[#out + 1] = ' '
    return next
  end
  if line:find('^%.?%d', at) then return after_number(line, line:match('^%.?()', at), out) end
  local word = line:match('^[%a_][%w_]*', at)
  if word then
    out[#out + 1] = words[word] or 'x'
    if word == 'function' then open.isBeforeParameters = true end
    return at + #word
  end
  if line:find('^%-%-', at) then return after_comment(open, line, at + 2, out) end
  local level, after = line:match('^%[(=*)%[()', at)
  if level then
    open.level = level
    out[#out + 1] = "'"
    return after
  end
  local sign = line:match('^%.+', at) or line:sub(at, at)
  if sign == '"' or sign == "'" then
    open.quote = sign
    sign = "'"
  elseif sign == '(' and open.isBeforeParameters then
    open.isBeforeParameters, open.isInParameters = false, true
    sign = ''
  end
  out[#out + 1] = sign
  return at + math.max(1, #line:match('^%.*', at))
end

local function short_form(open, line)
  local out, at = {}, 1
  while at and at <= #line do
    if open.quote then
      at = after_string(open, line, at, out)
    elseif open.level then
      at = after_bracket(open, line, at, out)
    elseif open.isInParameters then
      at = after_parameters(open, line, at)
    else
      at = after_token(open, line, at, out)
    end
  end
  return table.concat(out)
end

--- A letter for each line: `l` counts, `r` counts if it ran, `-` does not count.
return function(text)
  local open, letters = { isEnabled = true }, {}
  for line in (text .. '\n'):gmatch '(.-)\r?\n' do
    local form = short_form(open, line)
    if not open.isEnabled or is_one_of(never, form) then
      letters[#letters + 1] = '-'
    else
      letters[#letters + 1] = is_one_of(when_run, form) and 'r' or 'l'
    end
  end
  return table.concat(letters)
end
