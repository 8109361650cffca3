-- Brackets that are never closed, looked for from every place.
-- expect: time
return ("("):rep(400000):find("%b()")
