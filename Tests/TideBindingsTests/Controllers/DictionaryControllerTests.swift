import Testing
import TideGraph

@testable import TideBindings

@Suite struct DictionaryControllerTests {
  private let colors = DictionaryObject(["fig": "blue", "apple": "red"])

  @Test func `entries are pairs, and editing one changes the dictionary`() throws {
    let controller = DictionaryController(colors)
    #expect(keys(controller) == ["apple", "fig"])
    try controller.selection.assign("value", "green")
    #expect(colors[entry: "apple"] == "green")
    try controller.selection.assign("key", "zucchini")
    #expect(colors[entry: "apple"] == .null && colors[entry: "zucchini"] == "green")
    #expect(keys(controller) == ["fig", "zucchini"])
    #expect(controller.selectionIndex == 1)
    let error = #expect(throws: TideError.self) {
      try controller.selection.assign("key", "fig")
    }
    #expect(error?.code == .refused)
  }

  @Test func `keys are in the order of the app's language`() throws {
    let names = DictionaryObject(["Zoo": 1, "apfel": 2, "Äpfel": 3, "zoo": 4])
    let language = BindingTable.of(names.graph).transformers.language
    language.follow(in: names.graph)
    let controller = DictionaryController(names)
    #expect(keys(controller) == ["apfel", "Äpfel", "zoo", "Zoo"])
    language.use("sv")
    #expect(keys(controller) == ["apfel", "zoo", "Zoo", "Äpfel"])
  }

  @Test func `keys are included, excluded and made`() throws {
    let controller = DictionaryController(colors)
    controller.includedKeys = ["kiwi"]
    controller.excludedKeys = ["fig"]
    #expect(keys(controller) == ["apple", "kiwi"])
    try controller.add()
    try controller.add()
    #expect(colors[entry: "key"] == "value" && colors[entry: "key1"] == "value")
    try controller.removeSelection()
    #expect(colors[entry: "key1"] == .null)
    controller.dictionary = nil
    #expect(keys(controller) == ["kiwi"])
    #expect(throws: TideError.self) { try controller.add() }
  }

  @Test func `a binding writes an entry by its path`() throws {
    let context = BindingContext()
    let label = ListControllerTests.Label()
    try context.bind("fig <> text", colors, label)
    #expect(label.text == "blue")
    label.text = "black"
    #expect(colors[entry: "fig"] == "black")
    colors[entry: "fig"] = .null
    #expect(label.text == "")
  }

  private func keys(_ controller: DictionaryController) -> [String] {
    controller.arrangedObjects.values.compactMap {
      if case .object(let pair as DictionaryPair) = $0 { pair.key } else { nil }
    }
  }
}
