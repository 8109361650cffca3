-- Which hooks run, when, and around what.

local log = {}
local function say(...) log[#log + 1] = table.concat({ ... }, ' ') end

setup(function() say 'file setup' end)
teardown(function()
  say 'file teardown'
  print(table.concat(log, '\n'))
end)
before_each(function() say 'file before' end)
after_each(function() say 'file after' end)

it('is a test of the file', function() say 'file test' end)

describe('outer', function()
  setup(function() say 'outer setup 1' end)
  setup(function() say 'outer setup 2' end)
  teardown(function() say 'outer teardown 1' end)
  teardown(function() say 'outer teardown 2' end)
  before_each(function() say 'outer before 1' end)
  before_each(function() say 'outer before 2' end)
  after_each(function() say 'outer after 1' end)
  after_each(function() say 'outer after 2' end)

  describe('inner', function()
    lazy_setup(function() say 'inner lazy setup' end)
    lazy_teardown(function() say 'inner lazy teardown' end)
    before_each(function() say 'inner before' end)
    after_each(function() say 'inner after' end)

    it('is first', function() say 'inner test 1' end)
    test('is second', function()
      finally(function() say 'finally' end)
      say 'inner test 2'
    end)
    pending('is third', function() say 'never' end)
    spec('is fourth', function() pending 'not yet' end)
  end)

  context('without tests', function()
    setup(function() say 'empty setup' end)
    teardown(function() say 'empty teardown' end)
    lazy_setup(function() say 'never' end)
    lazy_teardown(function() say 'never' end)
  end)

  it('comes after its inner block', function() say 'outer test' end)
end)

describe 'with a title by itself' (function()
  it 'and a test with one' (function() say 'curried' end)
end)

describe(function()
  it(function() say 'without a name' end)
end)

insulate(function()
  it('stands in a nameless block', function() end)
end)

describe('the same name', function()
  it('twice', function() end)
  it('twice', function() end)
end)

describe('the same name', function()
  it('twice', function() end)
end)
