-- An iterator that never ends.
-- expect: time
for _ in function() return true end do end
