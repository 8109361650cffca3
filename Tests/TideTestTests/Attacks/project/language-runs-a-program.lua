-- The words of a language run a program.
-- file: src/busted/languages/xx.lua
-- arguments: --lang xx
-- expect: there are no words for --lang xx
-- expect: running "touch ../outside/made" is not allowed
os.execute 'touch ../outside/made'
