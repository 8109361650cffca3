-- Long texts are made by library functions while memory is short, the first of them too.
-- expect: fine or memory or time
local hold = {}
pcall(function() for i = 1, 1e7 do hold[i] = ("x"):rep(1000) .. i end end)
local texts = {}
for i = 1, 200 do
  pcall(function() texts[i % 10] = ("abc"):rep(5000, ",") .. i end)
  pcall(function() texts[i % 10] = table.concat({ ("y"):rep(3000), i }, ("z"):rep(2000)) end)
  pcall(function() texts[i % 10] = ("%s"):format(("w"):rep(4000)) end)
  hold[#hold] = nil
end
