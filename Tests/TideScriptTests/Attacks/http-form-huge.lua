-- A form of megabytes that are to be encoded, each time anew.
-- expect: time or memory
local big = (" "):rep(2000000)
while true do
  local ok, why = pcall(http.post, "http://a/", { form = { a = big } })
  if tostring(why):find("memory", 1, true) then error(why, 0) end
end
