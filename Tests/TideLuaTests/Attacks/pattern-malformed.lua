-- Patterns that end too early, at every position.
-- expect: fine
local whole = "^(%a+)[^%]%w-]*%b()%f[%s](.-)%1$"
for i = 1, #whole do
  for _, text in ipairs { "", "a", "abc[](x) abc", ("x"):rep(300) } do
    pcall(string.find, text, whole:sub(1, i))
    pcall(string.gsub, text, whole:sub(i), "%0%1")
    pcall(string.match, text, whole:sub(i, i + 3))
  end
end
for i = 0, 255 do
  pcall(string.find, "abc", "%" .. string.char(i))
  pcall(string.find, "abc", "[%" .. string.char(i))
  pcall(string.find, "abc", "%f" .. string.char(i))
  pcall(string.gsub, "abc", "(.)", "%" .. string.char(i))
end
