-- What coverage writes goes through a link.
-- file: spec/attack_spec.lua
-- link: coverage ../outside
-- arguments: --coverage
-- expect: coverage leads out of the project, which --sandbox keeps to
it('passes', function() end)
