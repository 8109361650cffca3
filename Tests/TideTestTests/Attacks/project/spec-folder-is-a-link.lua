-- A folder of specs is a link out of the project.
-- file: spec/attack_spec.lua
-- link: spec/inner ../../outside
-- expect: 2 successes / 0 failures / 0 errors
it('passes', function() end)
