/** Cuts bytes into pieces of the given sizes, repeated as often as needed. */
export function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = Math.max(1, sizes[i % sizes.length] ?? bytes.length);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
