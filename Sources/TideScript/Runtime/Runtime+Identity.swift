package import TideBindings
import TideGraph

extension Runtime {
  /// A persistent id of a model, or of a row of a shared list, which also identifies it in other
  /// runs of the app. Nil for an object that another run cannot find.
  package func identity(of object: DataObject) -> String? {
    graph.untracked {
      if let name = object.displayName, models[name] === object { return "model \(name)" }
      for (name, shared) in declarations.sharedModels {
        for (property, list) in shared.lists {
          if let id = list.objects.first(where: { $0.object === object })?.id {
            return "row \(name) \(property) \(id)"
          }
        }
      }
      return nil
    }
  }
}
