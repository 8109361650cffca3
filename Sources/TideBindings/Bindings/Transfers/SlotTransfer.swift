import CTideSlots
import TideGraph

/// Carries a value through a transformer that reads one slot and writes another, without boxing a
/// `Value`. All other cases go through a `BindingTransfer`.
final class SlotTransfer: TransformBody {
  private let table: Unmanaged<BindingTable>
  private let function: AnyTransformer.SlotFunction
  /// Handles all other cases.
  let transfer: BindingTransfer

  /// Nil when the target's values must be validated.
  init?(
    _ table: BindingTable, _ function: @escaping AnyTransformer.SlotFunction, to target: Slot,
    otherwise transfer: BindingTransfer
  ) {
    guard target.pointee.access & ~Access.observed == 0, let header = target.blockHeader,
      let object = header.block as? DataObject,
      object.shape.propertiesByIndex[target - header - 1].cases == nil
    else { return nil }
    self.table = .passUnretained(table)
    self.function = function
    self.transfer = transfer
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    // A marker passes unchanged, a failed source reports its error, and a pending result is
    // superseded.
    if source.holdsObject || source.hasFailed || transfer.isWaiting || transfer.isRestricted {
      return transfer.apply(edge, from: source, to: target)
    }
    let owner = table._withUnsafeGuaranteedRef { $0.withGraph { $0.owner(of: edge) } }
    do {
      let changed = try transfer.recording(along: edge) {
        try function(source, target) { [transfer] value in
          try transfer.deliver(value, to: target, from: source)
        }
      }
      table._withUnsafeGuaranteedRef { $0.succeed(owner) }
      transfer.noteValue(from: source, to: target, owner)
      transfer.showResult(from: source, to: target, owner)
      return changed
    } catch let pending as PendingValue {
      transfer.wait(for: pending, edge, owner)
      return false
    } catch {
      return transfer.fail(with: error, from: source, to: target, owner)
    }
  }
}

extension SlotTransfer: AwaitsValue {
  var isAwaitingValue: Bool { transfer.isWaiting }
}
