-- A link in the folder of specs leads to a file that is none.
-- file: spec/attack_spec.lua
-- link: spec/linked_spec.lua ../../outside/secret.lua
-- expect: cannot read spec/linked_spec.lua: it leads out of the project
it('passes', function() end)
