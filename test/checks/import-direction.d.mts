/** What the check found below one root. */
export interface ImportDirectionReport {
  /** Source files present. */
  files: number;
  /** Of these, how many were read as modules. */
  read: number;
  /** One line per problem; empty when all is well. */
  problems: string[];
}

type Cruise = typeof import('dependency-cruiser').cruise;

export function checkImportDirection(root: string, cruise?: Cruise): Promise<ImportDirectionReport>;
