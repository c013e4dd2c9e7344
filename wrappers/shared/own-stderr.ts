/**
 * Keeps the runtime from opening stderr, which belongs to the child. Node does so whenever a socket is closed (it compares
 * each with `process.stderr`), and a pipe that is opened becomes non-blocking for everybody who shares it: the child's
 * writes to its stderr could fail then. To be called before the first socket.
 */
export function leaveStderrAlone(): void {
  Object.defineProperty(process, 'stderr', { value: undefined, configurable: true });
}
