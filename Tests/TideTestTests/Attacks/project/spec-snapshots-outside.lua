-- Snapshots are written through a link.
-- file: spec/attack_spec.lua
-- link: spec/__snapshots__ ../../outside
-- arguments: -u
-- expect: leads out of the project, which --sandbox keeps to
it('writes', function() assert.snapshot('text', 'made') end)
