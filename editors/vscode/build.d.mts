export function buildExtension(out?: string): Promise<string>;
