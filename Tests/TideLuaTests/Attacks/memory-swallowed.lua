-- Each memory error is swallowed and the next piece asked for.
-- expect: time
local keep = {}
while true do
  pcall(function()
    while true do keep[#keep + 1] = ("x"):rep(100000) .. #keep end
  end)
end
