-- The configuration of coverage never ends.
-- file: .luacov
-- arguments: --coverage --timeout 1
-- expect: .luacov cannot be run: .luacov:5: the turn took too long
repeat until false
