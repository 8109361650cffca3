-- A text that is longer than all memory.
-- expect: memory
return ("x"):rep(33 << 20)
