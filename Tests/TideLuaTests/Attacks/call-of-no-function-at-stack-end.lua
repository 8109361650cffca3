-- What is no function is called where the C stack is nearly used up, so that the error is made there as well.
-- expect: fine or depth or time
local nothings = { 5, "text", true, {}, setmetatable({}, { __call = 5 }), setmetatable({}, { __call = {} }) }
for _, nothing in ipairs(nothings) do
  for _, through in ipairs {
    function(f) ("x"):gsub("x", f) end,
    function(f) table.sort({ 1, 2, 3 }, f) end,
    function(f) return setmetatable({}, { __index = f }).x end,
    function(f) for _ in pairs(setmetatable({}, { __pairs = f })) do end end,
  } do
    local calls = 0
    local function deep()
      calls = calls + 1
      pcall(nothing)
      pcall(through, nothing)
      xpcall(nothing, nothing)
      through(deep)
      return pcall(nothing)
    end
    pcall(deep)
    assert(calls > 0)
  end
end
