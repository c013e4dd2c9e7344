export function buildPiExtension(out: string): string;
