export interface WorkbenchPrograms {
  node24Home: string;
  node24: string;
  codeServerDir: string;
  codeServerPackage: string;
  codeServerEntry: string;
  codeServerMark: string;
  playwrightDir: string;
  playwrightPackage: string;
  playwright: string;
  chromium: string | undefined;
}

export function workbenchPrograms(): WorkbenchPrograms;
