-- The configuration of coverage puts something endless in the place of what matches its patterns.
-- file: .luacov
-- arguments: --coverage
-- expect: 1 success
_G.string = { find = function() while true do end end }
return { include = { 'src' } }
