-- The configuration finds its specs by a pattern that takes for ever.
-- file: .busted
-- expect: takes too long to match
return { default = { pattern = { ('.-'):rep(20) .. 'x' } } }
