-- Brackets that are never closed, looked for from every position.
-- expect: time
return ("("):rep(400000):find("%b()")
