-- A memory error is an ordinary error, and leaves everything usable.
-- expect: fine
for i = 1, 5 do
  local ok, message = pcall(function()
    local t = {}
    while true do t[#t + 1] = ("x"):rep(100000) .. #t end
  end)
  assert(not ok and message == "not enough memory", message)
  local s = ("x"):rep(1000000)
  assert(#s == 1000000)
end
