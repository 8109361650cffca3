-- Where the globals of a spec live, and for how long.

local function print_all(...) print(...) end

fileGlobal = 'of the file'
_G.realGlobal = 'real'

describe('globals', function()
  blockGlobal = 'of the block'
  setup(function() fromSetup = 1 end)
  before_each(function() fromBefore = (fromBefore or 0) + 1 end)
  after_each(function() fromAfter = (fromAfter or 0) + 1 end)

  it('are seen from outside', function()
    print_all(fileGlobal, blockGlobal, realGlobal, fromSetup, fromBefore, fromAfter)
    fromTest = 'of the test'
    fileGlobal = 'changed'
    assert.are.equal('of the test', fromTest)
  end)

  it('end with the test', function()
    print_all(fileGlobal, fromTest, fromSetup, fromBefore, fromAfter)
  end)

  describe('within', function()
    blockGlobal = 'of the inner block'
    it('hide those outside', function() print_all(blockGlobal, fromBefore) end)
  end)

  it('come back', function() print_all(blockGlobal, fromBefore, fromAfter) end)
end)

describe('false', function()
  flag = false
  describe('in an inner block', function()
    flag = true
    it('is hidden by true', function() print_all(flag) end)
  end)
  it('stays outside', function() print_all(flag) end)
end)

it('sees none of the blocks', function()
  print_all(blockGlobal, fromSetup, rawget(_G, 'fileGlobal'), rawget(_G, 'describe'))
end)

insulate('an insulated block', function()
  _G.leak = 'inside'
  package.loaded['a module'] = 'loaded'
  local isSeen = false
  it('sees what it made', function()
    print_all(_G.leak, package.loaded['a module'], leak)
    _G.realGlobal = nil
    _G.anotherLeak = true
  end)
  it('keeps it for its tests', function() print_all(_G.leak, _G.anotherLeak, _G.realGlobal) end)
end)

it('sees nothing of insulated blocks', function()
  print_all(_G.leak, _G.anotherLeak, _G.realGlobal, package.loaded['a module'])
end)

describe('a plain block', function()
  it('leaks real globals', function() _G.plainLeak = 'leaked' end)
end)

it('sees what leaked', function() print_all(_G.plainLeak) end)

describe('functions', function()
  local function shared()
    describe('made by a function', function()
      it('are tests as well', function() print_all(blockOfShared) end)
    end)
  end
  blockOfShared = 'shared'
  shared()
end)
