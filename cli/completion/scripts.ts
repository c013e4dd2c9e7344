import type { CompletedCommand, CompletedOption } from './command-tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script of a shell, to be sourced or installed by the person. */
export function completionScript(shell: Shell, tree: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(tree);
    case 'zsh':
      return zshScript(tree);
    case 'fish':
      return fishScript(tree);
  }
}

/** Asks for ids where an id is wanted; says nothing when no daemon runs. */
const IDS = 'omni-dev session-ids 2>/dev/null';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const paths = (tree: readonly CompletedCommand[]) => tree.slice(1).map(({ path }) => quoted(path));
const names = ({ long, short }: CompletedOption) => (short === undefined ? [long] : [long, short]);

/** Every option that takes a value, with the words that stand before that value. */
function valueOptions(tree: readonly CompletedCommand[]): { before: string[]; choices: readonly string[] }[] {
  return tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => ({
        before: names(option).map((name) => quoted(`${path} ${name}`)),
        choices: option.choices,
      })),
  );
}

function bashScript(tree: readonly CompletedCommand[]): string {
  const values = valueOptions(tree).map(({ before, choices }) => {
    const words =
      choices.length === 0 ? '' : `COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$cur")); `;
    return `    ${before.join('|')}) ${words}return ;;`;
  });
  const commands = tree.map(({ path, commands: below, options, takesSession }) => {
    const words = [...below.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ');
    const ids = takesSession ? `; [[ $cur == -* ]] || words=$(${IDS})` : '';
    return `    ${quoted(path)}) words=${quoted(words)}${ids} ;;`;
  });
  return `# bash completion of omni-dev: source it, or put it where your bash-completion looks
_omni_dev() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at=omni-dev words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -- ]] && return
    case "$at \${COMP_WORDS[i]}" in
    ${paths(tree).join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${values.join('\n')}
  esac
  case $at in
${commands.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _omni_dev omni-dev
`;
}

function zshScript(tree: readonly CompletedCommand[]): string {
  const described = (name: string, description: string) =>
    quoted(`${name.replaceAll(':', '\\:')}:${description}`);
  const values = valueOptions(tree).map(({ before, choices }) => {
    const add = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
    return `    ${before.join('|')}) ${add}; return ;;`;
  });
  const commands = tree.map(({ path, commands: below, options, takesSession }) => {
    const items = [
      ...below.map(({ name, description }) => described(name, description)),
      ...options.map(({ long, description }) => described(long, description)),
    ];
    const ids = takesSession ? `; [[ $PREFIX == -* ]] || compadd -- \${(f)"$(${IDS})"}` : '';
    return `    ${quoted(path)}) items=(${items.join(' ')})${ids} ;;`;
  });
  return `#compdef omni-dev
# zsh completion of omni-dev: put it into a folder of your fpath as _omni-dev
_omni_dev() {
  local at=omni-dev i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    [[ $words[i] == -- ]] && { _files; return }
    case "$at $words[i]" in
    ${paths(tree).join('|')}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  case $at in
${commands.join('\n')}
  esac
  _describe omni-dev items
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _omni_dev "$@"; else compdef _omni_dev omni-dev; fi
`;
}

function fishScript(tree: readonly CompletedCommand[]): string {
  const lines = tree.flatMap(({ path, commands, options, takesSession }) => {
    const at = `complete -c omni-dev -n "__omni_dev_at ${fishQuoted(path)}"`;
    return [
      ...commands.map(({ name, description }) => `${at} -a ${name} -d ${fishQuoted(description)}`),
      ...options.map((option) => `${at} ${fishOption(option)}`),
      ...(takesSession ? [`${at} -a "(${IDS})"`] : []),
    ];
  });
  return `# fish completion of omni-dev: put it into ~/.config/fish/completions/omni-dev.fish
function __omni_dev_at
  set -l at omni-dev
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${tree
        .slice(1)
        .map(({ path }) => fishQuoted(path))
        .join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c omni-dev -f
${lines.join('\n')}
`;
}

function fishOption({ long, short, description, takesValue, choices }: CompletedOption): string {
  const parts = [`-l ${long.slice(2)}`, `-d ${fishQuoted(description)}`];
  if (short !== undefined) parts.unshift(`-s ${short.slice(1)}`);
  if (choices.length > 0) parts.push(`-x -a ${fishQuoted(choices.join(' '))}`);
  else if (takesValue) parts.push('-r -F');
  return parts.join(' ');
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
