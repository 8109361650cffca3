import Testing

@testable import TideTest

/// Expects a spec to pass, with so many tests.
func passes(
  _ spec: String, _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
  _ configure: (inout TestOptions) -> Void = { _ in }
) throws {
  let folder = try SpecFolder()
  try folder.write("a_spec.lua", spec)
  let result = try folder.run("TAP", configure)
  #expect(result.isGood, "\(result.text)", sourceLocation: sourceLocation)
  #expect(result.tests.count == count, "\(result.text)", sourceLocation: sourceLocation)
}

/// Expects a spec to fail with a text in the report.
func fails(
  _ spec: String, with text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = try SpecFolder()
  try folder.write("a_spec.lua", spec)
  let result = try folder.run()
  #expect(!result.isGood, sourceLocation: sourceLocation)
  #expect(result.text.contains(text), "\(result.text)", sourceLocation: sourceLocation)
}

/// Lua that finds the table of the host's functions by way of one of the words, as only the debug
/// library can: `host_of(it)`.
let hostFinder = """
  local seen = {}
  local function host_of(fn)
    seen[fn] = true
    for index = 1, 100 do
      local name, value = debug.getupvalue(fn, index)
      if name == 'host' then return value end
      if not name then return end
      local found = type(value) == 'function' and not seen[value] and host_of(value)
      if found then return found end
    end
  end
  """
