import path from 'node:path';
import { daemonArguments, type ServiceTargets } from './service-plan.ts';

/** Label of the agent; the sessions service's contract fixes it. */
export const AGENT_LABEL = 'com.github.rust-works.omni-dev.daemon';

/** 0077 as launchd wants it. */
const OWNER_ONLY_UMASK = 0o77;

/** The user's agent definition. */
export function agentFile(home: string): string {
  return path.posix.join(home, 'Library', 'LaunchAgents', `${AGENT_LABEL}.plist`);
}

/**
 * The agent that launchd starts at login and again whenever it ends. The daemon binds its socket itself: the call that
 * takes one over from launchd is not within Node's reach.
 */
export function agentText(targets: ServiceTargets): string {
  const entries: [string, PlistValue][] = [
    ['Label', AGENT_LABEL],
    ['ProgramArguments', daemonArguments(targets)],
    ...environmentEntry(targets.environment),
    ['WorkingDirectory', '/'],
    ['RunAtLoad', true],
    ['KeepAlive', true],
    ['StandardOutPath', targets.log],
    ['StandardErrorPath', targets.log],
    ['Umask', OWNER_ONLY_UMASK],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by omni-dev: daemon install writes it, daemon uninstall removes it. -->
<plist version="1.0">
${plist(new Map(entries), '')}
</plist>
`;
}

type PlistValue = string | number | boolean | string[] | Map<string, PlistValue>;

function environmentEntry(environment: Readonly<Record<string, string>>): [string, PlistValue][] {
  const variables = Object.entries(environment);
  return variables.length === 0 ? [] : [['EnvironmentVariables', new Map(variables)]];
}

function plist(value: PlistValue, indent: string): string {
  if (typeof value === 'string') return `${indent}<string>${escapeXml(value)}</string>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `${indent}<array>\n${value.map((item) => plist(item, inner)).join('\n')}\n${indent}</array>`;
  }
  const members = [...value].map(
    ([key, item]) => `${inner}<key>${escapeXml(key)}</key>\n${plist(item, inner)}`,
  );
  return `${indent}<dict>\n${members.join('\n')}\n${indent}</dict>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
