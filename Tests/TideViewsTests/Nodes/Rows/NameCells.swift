import TideBindings
import TideGraph

@testable import TideViews

/// Makes cells that show the names of their objects, live.
final class NameCells {
  private let context = BindingContext()

  func make() throws -> View {
    let label = LabelView("")
    try context.bind("dataObject.name -> text", label, label)
    return label
  }
}

extension [String] {
  /// Lines without the column of the scroll bar.
  func withoutBar(_ width: Int) -> [String] {
    map { line in
      var text = String(line.prefix(width - 1))[...]
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}
