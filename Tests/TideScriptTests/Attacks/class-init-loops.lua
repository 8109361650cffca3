-- A constructor that makes another one of its kind.
-- expect: depth or error "stack overflow" or error "deep"
local C
C = class "C" { n = 0, init = function(self) C {} end }
C {}
