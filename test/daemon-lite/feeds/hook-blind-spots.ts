/**
 * Where hooks cannot see what the stream shows, by capture: the states that hooks alone give, and why they are blind.
 * Everywhere else they give the states of the capture's `.expect.json`, without the rest before the first prompt, which
 * no hook reports.
 */
export const HOOK_BLIND_SPOTS: Readonly<Record<string, { states: string; why: string }>> = {
  clear: {
    states: 'starting working idle ended starting working idle ended',
    why: 'a cleared session is two sessions, and the clearing itself is a turn without hooks',
  },
  compact: {
    states: 'starting working idle working idle ended',
    why: 'a compaction fires no prompt and no stop',
  },
  'hook-options': {
    states: 'starting working ended',
    why: 'the capture installs no hook for the request, the tool or the stop',
  },
  'interrupt-text': {
    states: 'starting working idle ended',
    why: 'an interrupt fires nothing: the row works on until the next stop',
  },
  'interrupt-tool': {
    states: 'starting working ended',
    why: 'an interrupt fires nothing',
  },
  'never-prompted': { states: 'starting ended', why: 'nothing tells that the prompt is ready' },
  'permission-deny': {
    states: 'starting working waiting_for_permission idle ended',
    why: 'a denial fires nothing: the wait lasts until the stop',
  },
  'permission-deny-interrupt': {
    states: 'starting working waiting_for_permission ended',
    why: 'neither a denial nor an interrupt fires anything',
  },
  'print-stream': { states: 'starting working idle ended', why: 'hooks see the stop before the end' },
  'print-text': {
    states: 'starting working idle ended',
    why: 'the stream of a text run says nothing; hooks see more',
  },
  'rename-and-title': {
    states: 'starting working idle working idle ended',
    why: 'a local command fires nothing',
  },
  'sigkill-busy': { states: 'starting working', why: 'a killed process fires nothing' },
  'slash-local': { states: 'starting working idle ended', why: 'a local command fires nothing' },
};
