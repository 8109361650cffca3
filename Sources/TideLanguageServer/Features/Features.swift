extension LanguageServer {
  /// All that the server does. A new feature is a file beside this one, and a line here.
  package static var features: [any Feature] {
    [
      DocumentSync(), WorkspaceChanges(), DiagnosticsFeature(), CompletionFeature(), HoverFeature(),
      NavigationFeature(), SymbolsFeature(), SemanticTokensFeature(),
      CallHierarchyFeature(), CodeActionsFeature(), CodeLensFeature(), InlayHintsFeature(),
      PreviewFeature(), LiveFeature(), Tracing(),
    ]
  }
}
