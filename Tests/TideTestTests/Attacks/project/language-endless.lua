-- The words of a language never come.
-- file: src/busted/languages/xx.lua
-- arguments: --lang xx --timeout 1
-- expect: the turn took too long
-- expect: 1 success
while true do end
