import TideBindings
import TideGraph

extension Runtime {
  /// The values of the models that scripts have declared, as bytes, for another run of the app;
  /// without what no file can hold, such as functions.
  package func keptModels() -> [UInt8] {
    graph.untracked {
      let all = DictionaryObject()
      for (name, model) in scriptModels {
        let values = DictionaryObject()
        for property in model.shape.properties where property.derive == nil {
          values.set(.text(property.name), model[property.name])
        }
        all.set(.text(name), .object(values))
      }
      return KeptValues.bytes(of: all, classes: ScriptSettingsClasses(home))
    }
  }

  /// Gives the models values that an earlier run of the app has kept. What does not fit any more
  /// keeps the value that the script has given it.
  package func restoreModels(_ bytes: [UInt8]) {
    graph.untracked {
      let all = KeptValues.values(in: bytes, classes: ScriptSettingsClasses(home))
      for (name, model) in scriptModels {
        guard case .object(let values as DictionaryObject) = all[.text(name)] else { continue }
        for property in model.shape.properties
        where property.derive == nil && !property.isReadOnly {
          let value = values[.text(property.name)]
          if value == .null, !property.isNullable { continue }
          try? model.set(property.name, value)
        }
      }
    }
    settle()
  }

  private var scriptModels: [(name: String, model: DataObject)] {
    models.names.compactMap { name in
      guard !models.isFromHost(name), let model = models[name] else { return nil }
      return (name, model)
    }
  }
}
