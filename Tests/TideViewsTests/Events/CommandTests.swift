import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct CommandTests {
  final class Save: DataObject, Command {
    @Property var isDirty = true
    @Property var saved = 0
    @Computed({ (save: Save) in save.isDirty }) var canExecute: Bool
    func execute(_ sender: View) throws {
      saved += 1
      isDirty = false
    }
  }

  final class Always: DataObject, Command {
    var senders: [View] = []
    func execute(_ sender: View) { senders.append(sender) }
  }

  let context = BindingContext()

  @Test func `a command is executed on an event and says whether the control is enabled`() throws {
    let save = Save(), button = ButtonView("Save")
    let belonging = try context.on(button, .touchUpInside, perform: save)
    #expect(button[.enabled])
    button.send(.touchUpInside)
    #expect(save.saved == 1)
    #expect(!button[.enabled])
    button.send(.touchUpInside)
    #expect(save.saved == 1)
    save.isDirty = true
    #expect(button[.enabled])
    belonging.cancel()
    save.isDirty = false
    button.send(.touchUpInside)
    #expect(save.saved == 1)
  }

  @Test func `it combines with what else says whether the control is enabled`() throws {
    let save = Save(), button = ButtonView("Save")
    final class Form: DataObject { @Property var isValid = true }
    let form = Form()
    try context.on(button, .touchUpInside, perform: save)
    try context.bind("isValid -> enabled", form, button)
    form.isValid = false
    #expect(!button[.enabled])
    save.isDirty = false
    form.isValid = true
    #expect(!button[.enabled])
    save.isDirty = true
    #expect(button[.enabled])
  }

  @Test func `one without canExecute is always executed`() throws {
    let always = Always(), button = ButtonView("Go")
    try context.on(button, .touchUpInside, perform: always)
    button.send(.touchUpInside)
    #expect(always.senders.count == 1)
    #expect(always.senders.first === button)
    context.removeAll()
    button.send(.touchUpInside)
    #expect(always.senders.count == 1)
  }
}

@Suite struct SharedPropertyTests {
  final class Form: DataObject {
    @Property var isValid = true
    @Property var isReady = true
    @Property var count = 0
  }

  @Test func `key paths share a view's flags, too`() throws {
    let context = BindingContext(), form = Form(), button = ButtonView("OK")
    let isEnabled = try #require(button.enabledReference)
    let first = context.bind(form.$isValid, to: isEnabled)
    context.bind(form.$isReady, to: isEnabled)
    context.bind(form.$count, to: isEnabled) { $0 < 2 }
    #expect(button[.enabled])
    form.isValid = false
    #expect(!button[.enabled])
    form.count = 3
    form.isValid = true
    #expect(!button[.enabled])
    form.count = 1
    #expect(button[.enabled])
    form.isValid = false
    #expect(!button[.enabled])
    first.unbind()
    #expect(button[.enabled])
  }
}

extension View {
  fileprivate var isEnabled: Bool { self[.enabled] }
  fileprivate var enabledReference: PropertyReference<Bool>? { try? reference(\.isEnabled) }
}
