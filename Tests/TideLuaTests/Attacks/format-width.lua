-- Widths and precisions beyond what the format allows.
-- expect: fine
for _, bad in ipairs { "%99999d", "%.99999f", "%1000000000s", "%-+ #0-+ #0d", "%", "%5", "%.", "%y",
  "%ll", "%n", "%*d", "%.3q", "%10q" } do
  assert(not pcall(string.format, bad, 1, 2, 3), bad)
end
assert(#string.format("%99.99f", 1e308) > 300)
assert(#string.format("%99d", 1) == 99)
