-- Texts that are no text survive properties.
-- expect: fine
local o = object { s = "" }
for _, s in ipairs { "\0", "\xff\xfe", ("\0"):rep(1000), "a\0b", "\xc3\x28", ("é"):rep(1000) } do
  o.s = s
  assert(o.s == s)
  local p = object { s = "" }
  bind("s -> s", o, p)
  assert(p.s == s)
end
