/// Where a view stands that is written in the table of another, and what that tells of its paths.
final class ViewPlace {
  let superview: ViewPlace?
  /// What the view's `dataObject` is, its own or that of a superview; nil where it is not known.
  let dataObject: Meaning?

  init(in superview: ViewPlace?, dataObject: Meaning?) {
    self.superview = superview
    self.dataObject = dataObject
  }
}
