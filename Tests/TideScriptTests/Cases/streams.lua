-- Streams: lists that are pushed into.

local function tells(text, part)
  if not tostring(text):find(part, 1, true) then
    error(("expected text with %q, got %q"):format(part, tostring(text)), 2)
  end
end

case("a stream is a list of what is pushed", function()
  local s = stream(function(push)
    for i = 1, 3 do sleep(1) push(i) end
  end)
  same(s.loading, true)
  advance(2)
  same(joined(s), "1,2")
  advance(1)
  same(s.loading, false)
  same(#s, 3)
  same(s.received, 3)
end)

case("a stream with a limit keeps the last items", function()
  local s = stream(function(push)
    for i = 1, 10 do push(i, i * 10) end
  end, { limit = 3 })
  same(joined(s), "90,10,100")
  same(s.received, 20)
end)

case("a stream reports edits", function()
  local seen = {}
  local s = stream(function(push)
    push "a"
    sleep(1)
    push("b", "c")
  end, { limit = 2 })
  s:observe(function(c) seen[#seen + 1] = c.kind .. " " .. table.concat(c.objects, "+") end)
  advance(1)
  same(table.concat(seen, ", "), "removal a, insertion b+c")
end)

case("derived lists follow a stream", function()
  local s = stream(function(push) for i = 1, 6 do sleep(1) push(i) end end, { limit = 4 })
  local even = s:filter(function(n) return n % 2 == 0 end)
  advance(6)
  same(joined(even), "4,6")
end)

case("a stream begins anew when what it read changes", function()
  local who = object { name = "a" }
  local s = stream(function(push)
    local name = who.name
    for i = 1, 3 do sleep(1) push(name .. i) end
  end)
  advance(2)
  who.name = "b"
  same(#s, 0)
  advance(1)
  same(joined(s), "b1")
  same(s.received, 1)
end)

case("what an ended run pushes is refused", function()
  local late
  local s = stream(function(push) late = push push(1) end)
  same(late(2), false)
  same(joined(s), "1")
end)

case("a stream says why it has ended", function()
  local s = stream(function(push) push(1) sleep(1) error("cut") end)
  advance(1)
  tells(s.error, "cut")
  same(s.loading, false)
  same(joined(s), "1")
  s:refresh()
  same(s.error, nil)
  same(s.loading, true)
end)

case("cancel ends a stream", function()
  local s = stream(function(push) while true do sleep(1) push(1) end end)
  advance(2)
  s:cancel()
  advance(5)
  same(#s, 2)
  same(s.loading, false)
end)

case("a stream takes no nil", function()
  local s = stream(function(push) push(nil) end)
  tells(s.error, "null")
end)
