/** The most that is read of a hook's input. Larger payloads exist only as tool output, which is not ours to hold. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * Reads standard input to its end. Past the limit the rest is read and dropped, so that the agent never meets a closed
 * pipe; the result is then undefined.
 */
export function readStandardInput(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(size > MAX_INPUT_BYTES ? undefined : Buffer.concat(chunks).toString('utf8'));
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_INPUT_BYTES) chunks.length = 0;
      else chunks.push(chunk);
    });
    stream.on('end', finish);
    stream.on('error', finish);
  });
}
