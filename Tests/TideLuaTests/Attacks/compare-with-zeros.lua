-- Texts with zeros in them are compared, segment by segment.
-- expect: fine
local segments = { "", "a", "b", "ab", "\255", "\195\164" }
local texts = {}
for _, x in ipairs(segments) do
  for _, y in ipairs(segments) do
    for _, z in ipairs(segments) do texts[#texts + 1] = x .. "\0" .. y .. "\0" .. z end
  end
end
for _, x in ipairs(texts) do
  for _, y in ipairs(texts) do
    assert((x < y) == (y > x) and (x <= y) == (y >= x) and (x == y) == (not (x < y) and not (y < x)))
  end
end
