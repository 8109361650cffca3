-- The project's configuration never ends.
-- file: .busted
-- arguments: --timeout 1
-- expect: .busted:5: the turn took too long
while true do end
