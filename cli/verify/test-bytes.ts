const LONG_LINE_BYTES = 2 * 1024 * 1024;

/**
 * Bytes that a wrapper is most likely to spoil, the same on every call: JSON lines, lines over any limit, NUL bytes,
 * terminal sequences, text that is no UTF-8, and no newline at the end.
 *
 * @param bytes how many, at least
 */
export function testBytes(bytes: number): Buffer {
  const random = generator(0x5eed);
  const pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
  };
  add(Buffer.alloc(LONG_LINE_BYTES, 'x'));
  while (size < bytes) add(makePiece(random));
  add(Buffer.from('the last line has no end'));
  return Buffer.concat(pieces);
}

function makePiece(random: () => number): Buffer {
  switch (random() % 4) {
    case 0:
      return Buffer.from(`${JSON.stringify({ type: 'verify', text: '€'.repeat(random() % 200) })}\n`);
    case 1:
      return Buffer.from(`\u001b[?25l\u001b]9;verify\u0007\r\n`);
    case 2:
      return Buffer.from(Array.from({ length: random() % 4096 }, () => random() & 0xff));
    default:
      return Buffer.alloc(random() % 300, '\0');
  }
}

/** Numbers that are the same on every machine (a linear congruential generator). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
