import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PROGRAMS_DIR, REPOSITORY } from '../../support/programs.ts';

/** One file of the package. */
export interface PackedFile {
  path: string;
  size: number;
}

/**
 * The package as npm packs it, in a folder of its own. What is packed is the build under test, copied beside the other
 * files, so that packing builds nothing under running tests.
 */
export class PackedPackage {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-package-'));
  readonly tarball: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: PackedFile[];

  constructor() {
    const stage = path.join(this.root, 'stage');
    mkdirSync(stage);
    for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs']) {
      cpSync(path.join(REPOSITORY, name), path.join(stage, name), { recursive: true });
    }
    for (const name of ['cli/main.ts', 'test/fixtures/one.jsonl', 'build.mjs', '.npmrc']) {
      mkdirSync(path.dirname(path.join(stage, name)), { recursive: true });
      writeFileSync(path.join(stage, name), 'not for the package');
    }
    cpSync(PROGRAMS_DIR, path.join(stage, 'dist'), { recursive: true });
    const packed = this.npm(stage, 'pack', '--json', '--ignore-scripts', '--pack-destination', this.root);
    const { filename, size, files } = onlyEntry(JSON.parse(packed));
    this.tarball = path.join(this.root, filename);
    this.size = size;
    this.files = files;
  }

  /** Installs the tarball into an empty prefix, with nothing to download from, and gives the package's folder there. */
  install(name: string): string {
    const prefix = path.join(this.root, name);
    mkdirSync(prefix);
    writeFileSync(path.join(prefix, 'package.json'), '{"private":true}\n');
    this.npm(prefix, 'install', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, this.tarball);
    return path.join(prefix, 'node_modules', 'omni-dev');
  }

  /** A file of the package as it is in the tarball. */
  read(file: string): Buffer {
    return readFileSync(path.join(this.root, 'stage', file));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** npm with a home and a cache of its own: nothing that happens to be cached helps. */
  npm(cwd: string, ...args: string[]): string {
    const home = path.join(this.root, 'npm-home');
    const env = { PATH: process.env.PATH ?? '', HOME: home, npm_config_cache: path.join(home, 'cache') };
    return execFileSync('npm', args, { cwd, env, stdio: 'pipe', timeout: 120_000 }).toString();
  }
}

interface PackReport {
  filename: string;
  size: number;
  files: PackedFile[];
}

/** npm prints a list, newer ones an object by package name. */
function onlyEntry(report: unknown): PackReport {
  const [entry] = Object.values(report as Record<string, PackReport>);
  if (entry === undefined) throw new Error('npm pack told nothing');
  return entry;
}
