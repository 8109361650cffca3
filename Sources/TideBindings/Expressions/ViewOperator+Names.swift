extension ViewOperator {
  /// The argument of an operator in brackets.
  enum Argument {
    case none(ViewOperator)
    case integer((Int) -> ViewOperator)
    case index((Int) -> ViewOperator)
    case text((String) -> ViewOperator)
  }

  /// The operators by the name that follows `@`, aliases included.
  static func named(_ name: String) -> Argument? {
    switch name {
    case "superview": .none(.superview)
    case "rootview": .none(.rootView)
    case "cell": .none(.cell)
    case "superviewWithTag": .integer(ViewOperator.superviewWithTag)
    case "superviewWithRestorationID", "superviewWithID": .text(ViewOperator.superviewWithID)
    case "superviewWithClass": .text(ViewOperator.superviewWithClass)
    case "subviews": .index(ViewOperator.subview)
    case "subviewWithTag": .integer(ViewOperator.subviewWithTag)
    case "subviewWithRestorationID", "subviewWithID": .text(ViewOperator.subviewWithID)
    case "subviewWithClass": .text(ViewOperator.subviewWithClass)
    default: nil
    }
  }

  /// Every name of an operator that leads to a view, without the `@`.
  static let names = [
    "superview", "rootview", "cell", "superviewWithTag", "superviewWithRestorationID",
    "superviewWithID", "superviewWithClass", "subviews", "subviewWithTag",
    "subviewWithRestorationID", "subviewWithID", "subviewWithClass",
  ]

  /// The class for a class argument. UIKit's names are replaced by ours.
  ///
  /// ```swift
  /// ViewOperator.className("UITableViewCell")   // "cell"
  /// ViewOperator.className("gauge")             // "gauge"
  /// ```
  package static func className(_ name: String) -> String {
    guard name.utf8.starts(with: "UI".utf8) else { return name }
    return uiKitNames[name] ?? name
  }

  private static let uiKitNames = [
    "UIView": "view", "UIControl": "view", "UIStackView": "view", "UIWindow": "window",
    "UIAlertController": "dialog", "UILabel": "label",
    "UITextField": "field", "UITextView": "textArea", "UIButton": "button", "UISwitch": "toggle",
    "UISlider": "slider", "UIStepper": "stepper", "UIProgressView": "progress",
    "UIPickerView": "picker", "UISegmentedControl": "radio", "UIMenu": "menu",
    "UIImageView": "image", "UITableView": "list", "UICollectionView": "collection",
    "UITableViewCell": "cell", "UICollectionViewCell": "cell", "UIScrollView": "scroll",
    "UITabBar": "tabs", "UISplitView": "split", "UIActivityIndicatorView": "spinner",
  ]
}
