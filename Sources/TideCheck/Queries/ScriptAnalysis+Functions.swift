import TideBindings
import TideScript

// The call hierarchy.
extension ScriptAnalysis {
  /// A function of a script.
  package struct Function: Hashable {
    package let name: String
    package let file: String
    package let range: Range<Int>
    package let selection: Range<Int>
  }

  /// The function that is mentioned or declared at an offset.
  package func function(at offset: Int) -> Function? {
    guard let (symbol, mention) = symbol(at: offset) else { return nil }
    for place in definitions(of: symbol, named: mention.name) {
      guard let other = app.scripts.first(where: { $0.source.path == place.file }) else { continue }
      if let found = analysis(of: other).functions.first(where: {
        $0.selection.overlaps(place.range) || $0.selection == place.range
      }) {
        return found
      }
    }
    return nil
  }

  /// All named functions of the script.
  package var functions: [Function] {
    var found: [Function] = []
    func add(_ items: [OutlineItem]) {
      for item in items {
        if item.kind == .function {
          found.append(
            Function(name: item.name, file: path, range: item.range, selection: item.selection))
        }
        add(item.children)
      }
    }
    add(outline)
    return found
  }

  /// The functions that call the one at an offset, with the locations of the calls. A call outside
  /// of all functions belongs to a function that stands for the script.
  package func callers(ofFunctionAt offset: Int) -> [(function: Function, calls: [Range<Int>])] {
    guard let (symbol, mention) = symbol(at: offset) else { return [] }
    var found: [(function: Function, calls: [Range<Int>])] = []
    for reference in references(to: symbol, named: mention.name)
    where !reference.isDeclaration && !reference.isWriting && !isCancelled() {
      guard let other = app.scripts.first(where: { $0.source.path == reference.location.file })
      else { continue }
      let caller = analysis(of: other).caller(at: reference.location.range.lowerBound)
      if let index = found.firstIndex(where: { $0.function == caller }) {
        found[index].calls.append(reference.location.range)
      } else {
        found.append((caller, [reference.location.range]))
      }
    }
    return found
  }

  /// The innermost function around an offset.
  private func caller(at offset: Int) -> Function {
    let around = functions.filter { $0.range.contains(offset) && !$0.selection.contains(offset) }
    let name = String(path.split(separator: "/").last ?? "")
    return around.min { $0.range.count < $1.range.count }
      ?? Function(name: name, file: path, range: 0..<bytes.count, selection: 0..<0)
  }

  /// The functions that a part of the script calls, with the locations of the calls.
  package func callees(in range: Range<Int>) -> [(function: Function, calls: [Range<Int>])] {
    var found: [(function: Function, calls: [Range<Int>])] = []
    for mention in mentions
    where range.contains(mention.range.lowerBound) && mention.role == .reading
      && isCalled(mention.range.upperBound) && !isCancelled()
    {
      guard let function = function(at: mention.range.lowerBound) else { continue }
      if let index = found.firstIndex(where: { $0.function == function }) {
        found[index].calls.append(mention.range)
      } else {
        found.append((function, [mention.range]))
      }
    }
    return found
  }

  private func isCalled(_ end: Int) -> Bool {
    guard let next = bytes[end...].first(where: { $0 != 0x20 }) else { return false }
    return [UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'")]
      .contains(next)
  }
}
