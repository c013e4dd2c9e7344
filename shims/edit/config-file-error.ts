import { OmniDevError } from '../../contract/errors.ts';

/** Why a config file was not edited. Each of them leaves its bytes as they were. */
export type ConfigFileCode =
  | 'CONFIG_NOT_JSON'
  | 'CONFIG_NOT_AN_OBJECT'
  | 'CONFIG_AMBIGUOUS'
  | 'CONFIG_NOT_UTF8'
  | 'CONFIG_UNREADABLE'
  | 'CONFIG_READ_ONLY'
  | 'CONFIG_NOT_A_FILE'
  | 'CONFIG_LINK_BROKEN'
  | 'CONFIG_BUSY'
  | 'CONFIG_UNWRITABLE';

/**
 * A config file that was left alone. The message names the file, the reason and the fix; `file` is the path as the user
 * knows it (not resolved).
 */
export class ConfigFileError extends OmniDevError {
  declare readonly code: ConfigFileCode;
  readonly file: string;

  /**
   * @param problem reads on from the file's name: `is a directory`.
   * @param fix one whole sentence that says what to do.
   */
  constructor(code: ConfigFileCode, file: string, problem: string, fix: string, options?: ErrorOptions) {
    super(code, `${file} ${problem}. ${fix}`, options);
    this.name = 'ConfigFileError';
    this.file = file;
  }
}
