import Foundation

/// A thousand specs that do next to nothing, in a hundred files.
@MainActor
func measureThousand(_ runner: Runner?) throws {
  guard let runner else { driver.refuse() }
  let folder = try SpecFolder()
  for file in 1...100 {
    let tests = (1...10).map { "  it('test \($0)', function() assert.equal(\($0), \($0)) end)\n" }
    try folder.write(
      "spec/file\(file)_spec.lua", "describe('file \(file)', function()\n\(tests.joined())end)\n")
  }
  driver.report("run", try runner.time(in: folder, times: 3))
}

/// A single one, so that nearly all is the start.
@MainActor
func measureOne(_ runner: Runner?) throws {
  guard let runner else { driver.refuse() }
  let folder = try SpecFolder()
  try folder.write("spec/one_spec.lua", "it('adds', function() assert.equal(2, 1 + 1) end)\n")
  driver.report("run", try runner.time(in: folder, times: 9))
}

/// Tests that fill in a form with a list, as a person would, and all pass.
@MainActor
func measureForms(_ arguments: [String]) throws {
  let folder = try SpecFolder()
  try folder.write("app.lua", form)
  try folder.write(
    "spec/form_spec.lua",
    """
    for round = 1, 400 do
      it('is filled in ' .. round, function()
        ui.mount 'app.lua'
        ui.type('name', 'Milk and bread')
        ui.press 'Enter'
        ui.select('items', 2)
        ui.press 'Down Down Up'
        ui.tap 'remove'
        clock.advance(1)
        assert.equal(20, #models.shop.items)
      end)
    end
    """)
  let runner = Runner(program: Runner.tidelock.program, arguments: arguments)
  driver.report("run", try runner.time(in: folder, times: 9))
}

private let form = """
  local shop = model "shop" { draft = "", items = list {}, ticks = 0 }
  for i = 1, 20 do shop.items:append(object { title = "item " .. i, count = i }) end
  local goods = controller.list { name = "goods", content = "shop.items" }
  every(0.1, function() shop.ticks = shop.ticks + 1 end)
  local function add()
    shop.items:append(object { title = shop.draft, count = 1 })
    shop.draft = ""
  end
  return view.column { spacing = 1,
    view.label { bindTo = { text = "shop.items.@sum.count | suffix(' in all')" } },
    view.label { text = function() return ("."):rep(shop.ticks % 60) end },
    view.field { id = "name", bindTo = { text = "<> shop.draft" }, on = { editingDidEndOnExit = add } },
    view.list { id = "items", grow = 1,
      cell = function() return view.label { bindTo = { text = "dataObject.title" } } end,
      bindTo = { items = "goods.arrangedObjects", selectedIndex = "<> goods.selectionIndex" } },
    view.button { id = "remove", title = "Remove", on = { touchUpInside = function() goods:remove() end } },
  }
  """

/// A script under test that takes its time: it counts words, builds and sorts tables, and makes
/// objects, in short lines of all kinds.
@MainActor
func measureScript(_ arguments: [String]) throws {
  let folder = try SpecFolder()
  try folder.write("src/work.lua", script)
  try folder.write(
    "spec/work_spec.lua",
    """
    local work = require 'work'
    for round = 1, 20 do
      it('works ' .. round, function()
        assert.equal(3000, work.count(3000))
        assert.equal('w1', work.sorted(2000)[1])
        assert.equal(75000, work.shapes(50000))
      end)
    end
    """)
  let runner = Runner(program: Runner.tidelock.program, arguments: arguments)
  driver.report("run", try runner.time(in: folder, times: 5))
}

private let script = """
  local work = {}

  function work.count(words)
    local parts = {}
    for i = 1, words do
      parts[#parts + 1] = "word" .. i % 50
    end
    local text = table.concat(parts, " ")
    local counts, total = {}, 0
    for word in text:gmatch("%w+") do
      counts[word] = (counts[word] or 0) + 1
      total = total + 1
    end
    return total
  end

  function work.sorted(count)
    local list = {}
    for i = count, 1, -1 do
      list[#list + 1] = "w" .. i
    end
    table.sort(list, function(a, b)
      return a < b
    end)
    return list
  end

  local Shape = {}
  Shape.__index = Shape

  local function new(width, height)
    return setmetatable({ width = width, height = height }, Shape)
  end

  function Shape:area()
    if self.width == 0 then
      return 0
    end
    return self.width * self.height
  end

  function work.shapes(count)
    local sum = 0
    for i = 1, count do
      local shape = new(i % 2 + 1, 1)
      sum = sum + shape:area()
    end
    return sum
  end

  return work
  """

/// From a save to the end of the run that it causes, among a hundred spec files.
@MainActor
func measureWatch() throws {
  let folder = try SpecFolder()
  for file in 1...100 {
    try folder.write(
      "spec/file\(file)_spec.lua",
      "local one = require 'one'\nit('reads \(file)', function() assert.truthy(one) end)\n")
  }
  try folder.write("src/one.lua", "return 1\n")
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: Runner.tidelock.program)
  process.arguments = ["test", "--watch"]
  process.currentDirectoryURL = folder.url
  process.standardOutput = output
  process.standardInput = FileHandle.nullDevice
  try process.run()
  defer {
    process.terminate()
    process.waitUntilExit()
  }
  let reader = output.fileHandleForReading
  func wait() throws {
    var text = ""
    while !text.contains("watching 100 spec files") {
      let data = reader.availableData
      guard !data.isEmpty else { throw Runner.Failure(status: -1) }
      text += String(decoding: data, as: UTF8.self)
    }
  }
  try wait()
  var spec: [Double] = [], module: [Double] = []
  for round in 1...7 {
    usleep(50_000)
    var start = ContinuousClock.now
    try folder.write("spec/file7_spec.lua", "it('reads \(round)', function() end)\n")
    try wait()
    spec.append(milliseconds(since: start))
    usleep(50_000)
    start = .now
    try folder.write("src/one.lua", "return \(round + 1)\n")
    try wait()
    module.append(milliseconds(since: start))
  }
  driver.report("spec", spec.sorted()[spec.count / 2])
  driver.report("module", module.sorted()[module.count / 2])
}
