-- A pcall that calls itself.
-- expect: time
while true do
  local function again() return pcall(again) end
  again()
end
