-- More results than the stack holds.
-- expect: error "too many results to unpack"
return table.unpack({}, 1, 10000000)
