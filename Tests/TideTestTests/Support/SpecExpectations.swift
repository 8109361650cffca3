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
