-- Errors of every sort are made and passed on while there is no memory for them or for their texts.
-- expect: fine or memory or time
local hold, size = {}, 0
local function fill()
  for piece = 16, 0, -4 do
    pcall(function()
      while true do
        size = size + 1
        hold[size] = ("x"):rep(100 << piece) .. size
      end
    end)
  end
end
local function overflow() return 1 + overflow() end
local closer = { __close = function(_, e) error(e) end }
local failing = {
  function() error("text " .. size) end, function() error {} end, function() return nil + 1 end, overflow,
  function() local k <close> = setmetatable({}, closer) overflow() end,
  function() coroutine.wrap(overflow)() end,
  function() local co = coroutine.create(overflow) coroutine.resume(co) assert(coroutine.close(co)) end,
  function() xpcall(overflow, function(m) return m .. m end) error(nil) end,
  function() load(("("):rep(150)) error() end,
}
for round = 1, 4 do
  fill()
  for i, fail in ipairs(failing) do
    local ok = pcall(fail)
    assert(not ok)
    pcall(xpcall, fail, fail)
  end
  for i = size // 2, size do hold[i] = nil end
  size = size // 2
  collectgarbage()
end
