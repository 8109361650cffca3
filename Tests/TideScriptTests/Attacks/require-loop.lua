-- A script that requires itself, and names that are none.
-- expect: error "requires itself" or error "module"
for _, name in ipairs { "", ".", "..", "a..b", "../x", "/etc/passwd", "a/b", "a\0b", ("a."):rep(10000), ("x"):rep(100000) } do
  assert(not pcall(require, name))
end
require("require-loop")
