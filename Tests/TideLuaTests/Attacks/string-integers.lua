-- Positions at the ends of what a number can hold.
-- expect: fine
local most, least = math.maxinteger, math.mininteger
local s = "abc"
for _, f in ipairs { string.sub, string.byte, utf8.codepoint, utf8.offset, utf8.len } do
  for _, i in ipairs { most, least, 0, 1, -1, 4, most - 1, least + 1 } do
    for _, j in ipairs { most, least, 0, 1, -1, 4, most - 1, least + 1 } do
      pcall(f, s, i, j)
      pcall(f, "", i, j)
      pcall(f, s, i, j, i)
    end
  end
end
for _, i in ipairs { most, least, 0, most - 1, 5 } do
  pcall(string.find, s, "b", i)
  pcall(string.find, s, "b", i, true)
  pcall(string.gmatch, s, "b", i)
  pcall(string.gsub, s, "b", "x", i)
  pcall(table.unpack, {}, i, most)
  pcall(table.unpack, {}, least, i)
  pcall(table.concat, {}, "", i, most)
  pcall(table.insert, {}, i, 1)
  pcall(table.remove, {}, i)
  pcall(select, i, 1, 2)
  pcall(math.random, i)
  pcall(math.random, i, most)
  pcall(math.random, least, i)
  pcall(utf8.char, i)
  pcall(string.char, i)
  pcall(string.rep, "", i)
  pcall(string.pack, "i8", i)
  pcall(string.unpack, "i8", "12345678", i)
  pcall(os.date, "%c", i)
  pcall(os.time, { year = i, month = i, day = i, hour = i, min = i, sec = i })
  pcall(table.move, { 1, 2 }, i, i, i)
  pcall(tostring, i)
  pcall(function() return 1 << i, 1 >> i, i // -1, i % -1, i // 1 end)
  pcall(function() return i // 0 end)
  pcall(function() return i % 0 end)
end
