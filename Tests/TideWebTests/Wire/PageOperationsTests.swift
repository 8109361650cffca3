import Testing

@testable import TideViews
@testable import TideWeb

@Suite struct PageOperationsTests {
  private let ann = ScenePerson(1)
  private let bob = ScenePerson(2)

  @Test func `a person who is set apart has all that was written for everyone before`() {
    var operations = PageOperations()
    operations.write { _, wire in wire.number(1) }
    #expect(operations.isForAll)
    operations.setApart(ann)
    operations.setApart(ann)
    operations.write { reader, wire in wire.number(reader === ann ? 2 : 3) }
    #expect(!operations.isForAll)
    #expect(operations.text(for: ann).text == "1,2")
    #expect(operations.text(for: bob).text == "1,3")
    #expect(operations.text(for: nil).text == "1,3")
  }

  @Test func `what is in a dialog of one person is written for that person alone`() {
    let (window, dialog) = (ViewClass.window.make(), ViewClass.dialog.make())
    let (top, owned) = (
      PageElement(1, window, PageClass(.window)), PageElement(2, dialog, PageClass(.dialog))
    )
    top.setChildren([owned])
    owned.owner = ann
    var operations = PageOperations()
    operations.setApart(ann)
    operations.setApart(bob)
    operations.write(to: owned) { _, wire in wire.number(1) }
    operations.write(to: top) { _, wire in wire.number(2) }
    #expect(operations.text(for: ann).text == "1,2")
    #expect(operations.text(for: bob).text == "2")
    #expect(operations.text(for: nil).text == "2")
  }

  @Test func `a dialog within a dialog of another person is written for nobody`() {
    let views = [ViewClass.dialog.make(), ViewClass.dialog.make()]
    let elements = views.enumerated().map { PageElement($0, $1, PageClass(.dialog)) }
    elements[0].setChildren([elements[1]])
    (elements[0].owner, elements[1].owner) = (ann, bob)
    for reader in [ann, bob, nil] { #expect(!elements[1].isSent(to: reader)) }
    #expect(elements[0].isSent(to: ann))
  }
}
