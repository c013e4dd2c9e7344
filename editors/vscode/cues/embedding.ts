/** Part of the view type of a Claude panel. VS Code puts its own prefix before it, so it is looked for, not compared. */
const CLAUDE_PANEL = 'claudeVSCodePanel';

/** How many of a window's webview tabs are Claude's. */
export function countClaudeTabs(viewTypes: readonly string[]): number {
  return viewTypes.filter((viewType) => viewType.includes(CLAUDE_PANEL)).length;
}

/**
 * How many of a window's terminals are Claude's: the name contains `claude` in any case, or is the title that the user
 * gave Claude's terminals (CLAUDE_CODE_TERMINAL_TITLE, trimmed; a blank one is none).
 */
export function countClaudeTerminals(names: readonly string[], customTitle?: string): number {
  const title = customTitle?.trim();
  return names.filter((name) => name.toLowerCase().includes('claude') || (title !== '' && name === title))
    .length;
}
