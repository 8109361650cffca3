-- Names of settings that would lead out of their folder.
-- expect: fine
for _, name in ipairs { "../x", "a/b", ".", "..", "", ".x", "a\0b", "/etc/x", ("x"):rep(1000000), "\27]0;x\7",
  "a.lua" } do
  assert(not pcall(controller.settings, { name = name }), name:sub(1, 100))
end
