
-- What stands after the script of a door that a timer enters.
isOpen = true
local rounds = 0
every(0.002, function()
  rounds = rounds + 1
  if began then
    print("took " .. now() - began)
    began = nil
  end
  if went >= 2 then
    print "TOKEN"
    exit(CODE)
  elseif rounds > ROUNDS then
    print("the door stays shut after " .. entered .. " entries")
    exit(8)
  elseif enter then
    enter()
  end
end)
