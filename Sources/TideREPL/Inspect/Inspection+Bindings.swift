import TideBindings
import TideScript
import TideSystem

// The bindings made by a line of a script, for display beside that line.

extension Inspection {
  private static let mostBindings = 20

  /// The bindings that a line has made, with their cost since the inspection began, and their
  /// errors.
  func bindings(madeIn file: String, _ line: Int) -> [JSONLine] {
    // The app may use file names relative to its folder, or symbolic links.
    var isMeant: [String: Bool] = [:]
    func isFile(_ name: String) -> Bool {
      if let known = isMeant[name] { return known }
      let found = name == file || SystemPath.real(name) == file
      isMeant[name] = found
      return found
    }
    let made = runtime.bindings.bindings(of: nil, property: nil).lazy.filter { binding in
      binding.location.map { $0.line == line && isFile($0.file) } ?? false
    }
    return made.prefix(Self.mostBindings).map { binding in
      var item = JSONLine()
      item.add("label", binding.description.escapingControls)
      if let error = binding.error { item.add("error", error.message.escapingControls) }
      if let measure = binding.measure {
        item.add("runs", measure.runs)
        item.add("nanoseconds", Int(measure.seconds * 1e9))
      }
      return item
    }
  }
}
