// Lets a test drive a window from inside: it connects to LAB_SOCKET, says which folder is open, and does what it is told.
const net = require('node:net');
const vscode = require('vscode');

const panels = [];
const terminals = [];

const actions = {
  /** A webview panel as Claude's extension makes them. */
  panel: () =>
    panels.push(vscode.window.createWebviewPanel('claudeVSCodePanel', 'Claude Code', vscode.ViewColumn.One)),
  otherPanel: () =>
    panels.push(vscode.window.createWebviewPanel('markdown.preview', 'Preview', vscode.ViewColumn.One)),
  terminal: (name) => terminals.push(vscode.window.createTerminal({ name })),
  editorTerminal: (name) =>
    terminals.push(vscode.window.createTerminal({ name, location: vscode.TerminalLocation.Editor })),
  closeAll: () => {
    for (const disposable of [...panels.splice(0), ...terminals.splice(0)]) disposable.dispose();
  },
  command: (name, ...args) => vscode.commands.executeCommand(name, ...args),
  setting: (name, value) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global),
  addFolder: (path) => vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(path) }),
  clipboard: () => vscode.env.clipboard.readText(),
  document: () => vscode.window.activeTextEditor?.document.getText(),
  pid: () => process.pid,
  cpu: () => process.cpuUsage(),
};

exports.activate = () => {
  const socket = net.createConnection(process.env.LAB_SOCKET);
  socket.on('error', () => {});
  const say = (message) => socket.write(`${JSON.stringify(message)}\n`);
  say({ folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath });
  let held = '';
  socket.on('data', (chunk) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop();
    for (const line of lines) {
      const { id, action, args } = JSON.parse(line);
      Promise.resolve()
        .then(() => actions[action](...args))
        .then(
          (value) =>
            say({
              id,
              value: ['string', 'number'].includes(typeof value) || action === 'cpu' ? value : null,
            }),
          (error) => say({ id, error: String(error) }),
        );
    }
  });
};
