-- Arguments and options of programs that are none.
-- expect: fine
for _, value in ipairs { {}, print, true, "\0", coroutine.create(print) } do
  assert(not pcall(process.run, "ls", { value }))
  assert(not pcall(process.run, "ls", {}, { environment = { A = value } }))
  assert(not pcall(process.run, "ls", {}, { timeout = value }))
end
for _, name in ipairs { "", "A=B", "A\0" } do
  assert(not pcall(process.run, "ls", {}, { environment = { [name] = "x" } }))
end
for _, seconds in ipairs { -1, 0, 0 / 0 } do
  assert(not pcall(process.run, "ls", {}, { timeout = seconds }))
end
