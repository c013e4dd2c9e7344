/**
 * Waits for a condition, looking every few milliseconds.
 *
 * @param describe the text of the error when it does not come true in time
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string = () => 'the condition never came true',
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(describe());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
