// Bundles the companion extension and packs it as a .vsix. The root build calls buildExtension(); `node
// editors/vscode/build.mjs` does the same by itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';

const here = import.meta.dirname;

/** A fixed time inside the archive: the same sources give the same bytes. */
const MTIME = '2000-01-01T00:00:00Z';

const escapeXml = (text) => text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The package manifest inside a .vsix, beside the extension's own package.json. */
function vsixManifest(manifest) {
  const {
    name,
    publisher,
    version,
    displayName,
    description,
    engines,
    categories,
    keywords,
    extensionKind,
    icon,
  } = manifest;
  const property = (id, value) => `<Property Id="Microsoft.VisualStudio.${id}" Value="${escapeXml(value)}"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Tags>${escapeXml(keywords.join(','))}</Tags>
    <Categories>${escapeXml(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>${property('Code.Engine', engines.vscode)}${property('Code.ExtensionKind', extensionKind.join(','))}</Properties>
    <Icon>extension/${icon}</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${icon}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".cjs" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".svg" ContentType="image/svg+xml"/><Default Extension=".png" ContentType="image/png"/></Types>
`;

/**
 * Writes `<out>/editors/omni-dev-sessions.vsix` and gives its path. The version is the product's: companion and daemon
 * are released together.
 */
export async function buildExtension(out = path.join(here, '../../dist')) {
  const outDir = path.join(out, 'editors');
  const { version } = JSON.parse(readFileSync(path.join(here, '../../package.json'), 'utf8'));
  const manifest = { ...JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')), version };
  const bundle = await build({
    entryPoints: [path.join(here, 'extension.ts')],
    bundle: true,
    platform: 'node',
    // The Node of the oldest VS Code that the manifest admits.
    target: 'node20',
    format: 'cjs',
    minify: true,
    external: ['vscode'],
    define: { __OMNI_DEV_VERSION__: JSON.stringify(version), __OMNI_DEV_COMMIT__: '""' },
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  const archive = zipSync(
    {
      'extension.vsixmanifest': strToU8(vsixManifest(manifest)),
      '[Content_Types].xml': strToU8(CONTENT_TYPES),
      'extension/package.json': strToU8(JSON.stringify(manifest, null, 2)),
      'extension/extension.cjs': bundle.outputFiles[0].contents,
      'extension/README.md': readFileSync(path.join(here, 'README.md')),
      'extension/activity-bar.svg': readFileSync(path.join(here, 'media/activity-bar.svg')),
      'extension/icon.png': readFileSync(path.join(here, 'media/icon.png')),
    },
    { level: 9, mtime: MTIME },
  );
  mkdirSync(outDir, { recursive: true });
  const file = path.join(outDir, 'omni-dev-sessions.vsix');
  writeFileSync(file, archive);
  return file;
}

if (process.argv[1] === import.meta.filename) console.log(await buildExtension());
