-- What stands before the script of a door. Its environment is a copy, so that an attack can take
-- nothing from it; only a spec's words are found elsewhere. An attack is loaded from its text, and
-- so is a chunk of its own in the app's environment.
local _ENV = (function(from)
  local to = {}
  for key in pairs(_G) do to[key] = from[key] end
  for key, value in pairs(from) do to[key] = value end
  return IS_SPEC and setmetatable(to, { __index = from }) or to
end)(_ENV)
local attacks = { ATTACKS }
local needed = #attacks + 2
local entered, went, isOpen = ENTERED, 0, IS_OPEN
local began
local function step(...)
  if not isOpen then return end
  entered = entered + 1
  local attack = attacks[entered]
  if attack then
    if now then began = now() end
    return attack()
  end
  went = went + 1
end
