/** A piece of a byte string as the vectors write it. */
export type BytePiece = { utf8: string } | { hex: string } | { repeat: BytePiece; count: number };

/** The bytes of a byte string. */
export function bytesOf(pieces: readonly BytePiece[] = []): Buffer {
  return Buffer.concat(pieces.map(pieceBytes));
}

function pieceBytes(piece: BytePiece): Buffer {
  if ('utf8' in piece) return Buffer.from(piece.utf8, 'utf8');
  if ('hex' in piece) return Buffer.from(piece.hex, 'hex');
  const unit = pieceBytes(piece.repeat);
  return Buffer.concat(Array.from({ length: piece.count }, () => unit));
}
