import { readlinkSync } from 'node:fs';

/** The pid namespace of this process (`pid:[4026531836]`) on Linux, else undefined: there is only one elsewhere. */
export function ownPidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
