-- A comparison is the index of an outer function's table, which may be left out of the code.
-- expect: fine
local outer = { [true] = "yes", [false] = "no" }
local sources = {
  "local outer = ... return function(a, b) return outer[a < b] end",
  "local outer = ... return function(a, b) return outer[not (a >= b)] end",
  "local outer = ... return function(a, b) outer[a < b] = outer[a < b] return outer[a < b] end",
  "local _ENV = ... return function(a, b) return _ENV[a < b] end",
  "local outer = ... return function(a, b) return (outer)[(a < b)] end",
}
for _, source in ipairs(sources) do
  local chunk, message = load(source)
  if chunk then
    local f = chunk(outer)
    for i = 1, 100 do assert(f(1, 2) == "yes" and f(2, 1) == "no") end
  else
    assert(message:find "comparison")
  end
end
