-- Variables that nobody has allowed.
-- expect: fine
for _, name in ipairs { "HOME", "PATH", "", "\0", "A=B", ("x"):rep(1000000), "\27]0;x\7" } do
  assert(not pcall(os.getenv, name))
end
