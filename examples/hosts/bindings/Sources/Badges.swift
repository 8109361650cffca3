import TideBindings

// The README's program: the engine without scripts.

final class Person: DataObject {
  @Property var name = "Jimmy"
  @Property var age = 12
  @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String
}

final class Badge: DataObject {
  @Property var text = ""
}

@main struct Badges {
  static func main() {
    let person = Person(), badge = Badge()
    let context = BindingContext()
    context.bind(person.$title, to: badge.$text)
    print(badge.text)
    person.age += 1
    print(badge.text)
    context.removeAll()
    person.name = "Ada"
    print(badge.text)
  }
}
