-- Programs that nobody has allowed.
-- expect: fine
for _, name in ipairs { "ls", "/bin/sh", "./x", "../x", "", "\0", "sh\0", "\27]0;x\7" } do
  assert(not pcall(process.run, name))
  assert(not pcall(process.lines, name))
  assert(not pcall(process.start, name))
  assert(not pcall(io.popen, name))
  assert(not pcall(os.execute, name))
end
assert(os.execute() == false)
