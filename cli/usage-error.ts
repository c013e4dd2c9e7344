import { OmniDevError } from '../contract/errors.ts';

/** A command that was called in a way it cannot be: exit code 2. */
export class UsageError extends OmniDevError {
  constructor(message: string) {
    super('USAGE', message);
    this.name = 'UsageError';
  }
}
