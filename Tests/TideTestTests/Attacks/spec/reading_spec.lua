-- A file that is no spec's is not read, whatever a chunk calls itself.

local secret = ('secret.lua')

for _, name in ipairs { '@' .. secret, '@../' .. secret, '@/etc/passwd' } do
  it('a failure in a chunk called ' .. name .. ' tells nothing of it', function()
    local chunk = load('local page = object { hidden = 1 }\nassert.equal(2, page.hidden)', name)
    local isGood, raised = pcall(chunk)
    assert.is_false(isGood)
    assert.not_matches('Why it is so', tostring(raised), 1, true)
  end)
end

for _, path in ipairs { '/etc/passwd', '../secret.lua', 'parts/../../secret.lua', 'linked.lua' } do
  it('an app is not mounted from ' .. path, function()
    assert.error_matches(function() ui.mount(path) end, 'lies outside of the project', 1, true)
  end)
end

it('fixtures are not read', function()
  assert.error_matches(function() require('busted.fixtures').read('../secret.lua') end,
    'of which a sandbox has a part', 1, true)
end)
