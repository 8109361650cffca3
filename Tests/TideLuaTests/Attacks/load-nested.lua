-- Blocks, functions, tables and parentheses nested deeper than the parser goes.
-- expect: fine
for _, piece in ipairs { { "(", ")" }, { "{", "}" }, { "-", "" }, { "not ", "" }, { "a=", "" },
  { "do ", " end" }, { "if x then ", " end" }, { "function() ", " end" }, { "f(", ")" },
  { "f{", "}" }, { "a[", "]" }, { "1 .. ", "" }, { "2 ^ ", "" }, { "function f() ", " end " },
  { "while true do ", " end " }, { "repeat ", " until x " }, { "for i = 1, 2 do ", " end " } } do
  for _, n in ipairs { 150, 250, 10000, 100000 } do
    local open, shut = piece[1]:rep(n), piece[2]:rep(n)
    load("return " .. open .. "1" .. shut)
    load(open .. "x = 1 " .. shut)
    load(open)
    load(open .. shut)
  end
end
