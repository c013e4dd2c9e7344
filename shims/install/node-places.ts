/**
 * Where a Node may be when neither the one of the installation nor PATH has one (an editor started from a desktop knows
 * little of PATH). Shell words: variables and patterns are the shell's to expand.
 */
export interface NodePlaces {
  fixed: readonly string[];
  /** Patterns of version managers, one folder per version: of each the newest that is new enough is tried. */
  versioned: readonly string[];
  /** What a remote editor brings along, as a last resort: each update of the editor moves it. */
  ofEditors: readonly string[];
}

export const NODE_PLACES: NodePlaces = {
  fixed: [
    '/usr/local/bin/node',
    '/usr/bin/node',
    '/opt/homebrew/bin/node',
    '/home/linuxbrew/.linuxbrew/bin/node',
    '/opt/local/bin/node',
    '/snap/bin/node',
    '/run/current-system/sw/bin/node',
    '"$HOME"/.nix-profile/bin/node',
    '"$HOME"/.volta/bin/node',
    '"$HOME"/.local/share/fnm/aliases/default/bin/node',
    '"$HOME/Library/Application Support/fnm/aliases/default/bin/node"',
    '"$HOME"/.local/share/mise/shims/node',
    '"$HOME"/.asdf/shims/node',
    '"$HOME"/.nodenv/shims/node',
    '"$HOME"/n/bin/node',
    '"$HOME"/.local/bin/node',
  ],
  versioned: [
    '"$NVM_DIR"/versions/node/*/bin/node',
    '"$HOME"/.nvm/versions/node/*/bin/node',
    '"$FNM_DIR"/node-versions/*/installation/bin/node',
    '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node',
    '"$HOME/Library/Application Support"/fnm/node-versions/*/installation/bin/node',
    '"$HOME"/.local/share/mise/installs/node/*/bin/node',
    '"$HOME"/.asdf/installs/nodejs/*/bin/node',
  ],
  ofEditors: [
    '"$HOME"/.vscode-server/cli/servers/*/server/node',
    '"$HOME"/.vscode-server/bin/*/node',
    '"$HOME"/.vscode-server-insiders/cli/servers/*/server/node',
    '"$HOME"/.cursor-server/cli/servers/*/server/node',
    '"$HOME"/.cursor-server/bin/*/*/node',
    '/usr/lib/code-server/lib/node',
  ],
};

/** Paths that an upgrade of Node leaves in place, for a Node whose own path carries its version. */
export const STABLE_NODE_NAMES: readonly string[] = [
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  '/home/linuxbrew/.linuxbrew/bin/node',
  '/opt/local/bin/node',
  '/usr/bin/node',
];
