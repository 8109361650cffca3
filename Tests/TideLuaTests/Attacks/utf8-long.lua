-- Long texts, counted and walked for ever.
-- expect: time
local s = ("é"):rep(1 << 20)
while true do
  utf8.len(s)
  utf8.offset(s, 1 << 20)
  utf8.codepoint(s, 1, 1000)
  for _ in utf8.codes(s) do end
end
