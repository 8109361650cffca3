-- Lists of twice a list of twice a list.
-- expect: error "rows at once" or memory
local l = list { 1, 2, 3, 4, 5, 6, 7, 8 }
for _ = 1, 60 do l = concat(l, l) end
