/**
 * A program of its own that edits a settings file: `<file> <key> <count>` sets `<key>0` … one after the other. Prints
 * the code of a refusal.
 */
import { ConfigFileError } from '../../../shims/edit/config-file-error.ts';
import { editConfigFile } from '../../../shims/edit/edit-config-file.ts';

const [file = '', key = '', count = '0'] = process.argv.slice(2);

async function run(): Promise<void> {
  for (let number = 0; number < Number(count); number++) {
    await editConfigFile({
      file,
      createMissing: true,
      edit: (text) => text.setMember([], `${key}${number}`, number),
      lock: { waitMs: 30_000 },
    });
  }
}

run().catch((error: unknown) => {
  process.stdout.write(error instanceof ConfigFileError ? `${error.code} ${error.message}` : String(error));
  process.exitCode = 1;
});
