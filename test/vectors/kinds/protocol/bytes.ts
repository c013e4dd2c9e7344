/** One piece of a byte sequence as the vector files write it. */
export type Piece = { utf8: string } | { hex: string } | { repeat: Piece; count: number };

/** The bytes that the pieces stand for. */
export function bytesOf(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(bytesOfPiece));
}

function bytesOfPiece(piece: Piece): Buffer {
  if ('utf8' in piece) return Buffer.from(piece.utf8);
  if ('hex' in piece) return Buffer.from(piece.hex, 'hex');
  const repeated = bytesOfPiece(piece.repeat);
  return Buffer.alloc(repeated.length * piece.count, repeated);
}
