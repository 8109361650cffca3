import Foundation
import Testing
import TideBindings
import TideFoundation
import Tidelock

@Suite struct `Triggers by Foundation's notifications` {
  final class Form: DataObject {
    @Property var text = "a"
  }

  private let name = Notification.Name("saved")
  private let center = NotificationCenter()
  private let form = Form()
  private let copy = Form()

  private func bind(
    _ context: BindingContext, from sender: AnyObject? = nil
  ) throws -> Binding {
    var options = BindingOptions()
    options.triggers = [.notification(name, from: sender, in: center)]
    return try context.bind("text -> text", form, copy, options)
  }

  @Test func `fire on the thread that posts, where that is the graph's`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    let binding = try bind(context)
    form.text = "b"
    #expect(copy.text == "a")
    center.post(name: Notification.Name("other"), object: nil)
    #expect(copy.text == "a")
    center.post(name: name, object: nil)
    #expect(copy.text == "b")
    binding.isEnabled = false
    form.text = "c"
    center.post(name: name, object: nil)
    binding.isEnabled = true
    #expect(copy.text == "b")
    binding.unbind()
    center.post(name: name, object: nil)
    #expect(copy.text == "b")
    withExtendedLifetime(runtime) {}
  }

  @Test func `fire through the loop from other threads`() async throws {
    // The loop waits, so it gets a thread of its own.
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let test = Self()
            let runtime = try Runtime(file: "test.lua")
            let context = BindingContext()
            _ = try test.bind(context)
            test.form.text = "b"
            let center = test.center, name = test.name
            Thread.detachNewThread { center.post(name: name, object: nil) }
            while test.copy.text == "a" { runtime.turn() }
            #expect(test.copy.text == "b")
            context.removeAll()
          })
      }
    }
  }

  @Test func `listen to one sender alone, which they do not keep`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    var sender: NSObject? = NSObject()
    weak let kept = sender
    _ = try bind(context, from: sender)
    form.text = "b"
    center.post(name: name, object: NSObject())
    #expect(copy.text == "a")
    center.post(name: name, object: sender)
    #expect(copy.text == "b")
    let trigger = Trigger.notification(name, from: sender, in: center)
    context.removeAll()
    sender = nil
    #expect(kept == nil)
    var options = BindingOptions()
    options.triggers = [trigger]
    form.text = "c"
    options.initial = false
    try context.bind("text -> text", form, copy, options)
    center.post(name: name, object: nil)
    #expect(copy.text == "b")
    withExtendedLifetime(runtime) {}
  }
}
