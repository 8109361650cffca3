import TideBindings
import TideGraph

/// Gives scripts a view's subviews as a list, made when it is first read.
final class SubviewsBody: ComputedBody {
  unowned(unsafe) private let view: View?

  init(_ view: DataObject) { self.view = view as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let view else { return false }
    let list = FrozenList(
      view.subviews.map { .object($0) },
      reason: "subviews are added, moved and taken out by the view's add, move and remove")
    return slot.store(.object(list))
  }
}
