import TideGraph

/// The objects from which a binding's value came.
///
/// When a value is missing, its origin decides whether the target may keep the last value. It may
/// if that value came from the same objects.
enum ValueOrigin {
  /// The object at the end of a path, and the object that the value itself is; 0 for none.
  case end(Int, value: Int)
  /// The objects that a function has read.
  case reads([Int])

  /// Whether a failed read concerns the same objects.
  func covers(_ failed: ValueOrigin) -> Bool {
    switch (self, failed) {
    case (.end(let holder, let value), .end(let failedHolder, let failedValue)):
      holder == failedHolder && (failedValue == 0 || failedValue == value)
    case (.reads(let known), .reads(let read)): read.allSatisfy(known.contains)
    default: false
    }
  }

  /// Identifies the object that a value is; 0 for any other value.
  static func mark(of value: Value) -> Int {
    guard case .object(let object) = value else { return 0 }
    return ObjectIdentifier(object).hashValue
  }
}

extension Graph {
  /// The maximum number of marks recorded for one function. Later reads are ignored.
  private static let mostMarks = 64

  /// The objects whose properties a computed slot has read, and those that it has found in them.
  func originOfReads(by node: Slot) -> ValueOrigin {
    var marks: [Int] = []
    addMarks(ofReadsBy: node, to: &marks, depth: 0)
    return .reads(marks)
  }

  private func addMarks(ofReadsBy node: Slot, to marks: inout [Int], depth: Int) {
    for slot in sources(of: node) {
      if marks.count >= Self.mostMarks { return }
      guard let header = slot.blockHeader, let object = header.block as? DataObject else {
        if slot.isDerived && depth < 4 { addMarks(ofReadsBy: slot, to: &marks, depth: depth + 1) }
        continue
      }
      marks.append(ObjectIdentifier(object).hashValue)
      let value = slot.load()
      let mark = ValueOrigin.mark(of: value)
      if mark != 0 {
        marks.append(mark)
      } else if object.choosesRow(at: slot - header - 1) {
        // Selecting another row changes the origin, even if the function did not read the row.
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(object))
        hasher.combine(Int.make(from: value) ?? 0)
        marks.append(hasher.finalize())
      }
    }
  }
}

extension DataObject {
  /// Whether a property selects a row by its index.
  fileprivate func choosesRow(at index: Int) -> Bool {
    guard shape.propertiesByIndex.indices.contains(index) else { return false }
    let name = shape.propertiesByIndex[index].name
    // The first of controllers, the second of views, `index` of cells.
    return ["selectionIndex", "selectedIndex"].contains(name)
      || name == "index" && showsBindingErrors
  }
}
