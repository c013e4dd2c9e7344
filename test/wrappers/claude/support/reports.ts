import type { ObservePayload } from '../../../../contract/messages.ts';
import type { FakeDaemon } from '../../../support/fake-daemon.ts';
import { until } from '../../../support/until.ts';

/** Every state report that a daemon was sent, in order. */
export function reportsTo(daemon: FakeDaemon): ObservePayload[] {
  return daemon.requests.filter(({ op }) => op === 'observe').map(({ payload }) => payload as ObservePayload);
}

/** The states of those reports. */
export function statesIn(daemon: FakeDaemon): string[] {
  return reportsTo(daemon).map(({ event }) => (event as { stream_state: string }).stream_state);
}

/** Waits until the last reported state is this one. */
export async function untilState(daemon: FakeDaemon, state: string): Promise<void> {
  await until(
    () => statesIn(daemon).at(-1) === state,
    () => `${state} never came: ${statesIn(daemon).join(', ')}`,
  );
}
