import { isBuiltin } from 'node:module'

// Which layers may import which, and what is only allowed in some places.
// All paths are relative to the project folder and use forward slashes.

type Layer =
  | 'shared'
  | 'rules'
  | 'repository'
  | 'service'
  | 'routes'
  | 'http'
  | 'db'
  | 'storage'
  | 'wasm'
  | 'agents'
  | 'images'
  | 'outbound'
  | 'processes'
  | 'content'
  | 'pages'
  | 'operations'
  | 'settings'
  | 'data folder'
  | 'backup'
  | 'doctor'
  | 'mirror'
  | 'commands'
  | 'composition'
  | 'entry'
  | 'files'
  | 'client'
  | 'renderer app'
  | 'feature'
  | 'component'
  | 'frame'
  | 'main'
  | 'preload'

interface Place {
  layer: Layer
  /** The domain or feature, for layers that are divided into them. */
  part: string
}

// The first matching pattern applies; its first group is the part.
const PLACES: readonly (readonly [RegExp, Layer])[] = [
  [/^src\/shared\//, 'shared'],
  [/^src\/server\/domains\/([^/]+)\/(?:[^/]+\/)?[^/]+\.(?:rules|texts)\.ts$/, 'rules'],
  [/^src\/server\/domains\/([^/]+)\/(?:[^/]+\/)?[^/]+\.repository\.ts$/, 'repository'],
  [/^src\/server\/domains\/([^/]+)\/(?:[^/]+\/)?[^/]+\.service\.ts$/, 'service'],
  [/^src\/server\/domains\/([^/]+)\/(?:[^/]+\/)?[^/]+\.routes\.ts$/, 'routes'],
  [/^src\/server\/http\//, 'http'],
  [/^src\/server\/db\//, 'db'],
  [/^src\/server\/storage\//, 'storage'],
  [/^src\/server\/wasm\//, 'wasm'],
  [/^src\/server\/agents\//, 'agents'],
  [/^src\/server\/images\//, 'images'],
  [/^src\/server\/outbound\//, 'outbound'],
  [/^src\/server\/processes\//, 'processes'],
  [/^src\/server\/content\//, 'content'],
  [/^src\/server\/pages\//, 'pages'],
  [/^src\/server\/operations\//, 'operations'],
  [/^src\/server\/settings\//, 'settings'],
  [/^src\/server\/data-folder\//, 'data folder'],
  [/^src\/server\/(?:backup|verify|replication)\//, 'backup'],
  [/^src\/server\/doctor\//, 'doctor'],
  [/^src\/server\/mirror\//, 'mirror'],
  [/^src\/server\/commands\//, 'commands'],
  [/^src\/server\/(?:composition\/|start-server\.ts$)/, 'composition'],
  // Entry points: the command line, and the command line and the services inside the app.
  [/^src\/server\/(?:app-command|cli|utility)\.ts$/, 'entry'],
  // File system code shared by server, client and app.
  [/^src\/files\//, 'files'],
  [/^src\/client\//, 'client'],
  [/^src\/renderer\/features\/([^/]+)\//, 'feature'],
  [/^src\/renderer\/(?:components|lib)\//, 'component'],
  [/^src\/renderer\/frames\//, 'frame'],
  [/^src\/renderer\/(?:app\/|[^/]+$)/, 'renderer app'],
  [/^src\/main\//, 'main'],
  [/^src\/preload\//, 'preload'],
]

const INFRASTRUCTURE = ['http', 'db', 'storage', 'wasm', 'images', 'processes', 'operations'] as const

/** The layers that a layer may import, in general (`any`) or only from its own part (`own`). */
const MAY_IMPORT: Record<Layer, { any: readonly Layer[]; own?: readonly Layer[] }> = {
  shared: { any: ['shared'] },
  rules: { any: ['shared', 'rules'] },
  repository: { any: ['shared', 'db'], own: ['rules', 'repository'] },
  service: {
    any: [
      'shared',
      'db',
      'storage',
      'wasm',
      'images',
      'outbound',
      'operations',
      'content',
      'agents',
      'service',
    ],
    own: ['rules', 'repository'],
  },
  routes: { any: ['shared', 'http'], own: ['service', 'routes'] },
  http: { any: ['shared', ...INFRASTRUCTURE] },
  db: { any: ['shared', ...INFRASTRUCTURE] },
  storage: { any: ['shared', 'files', ...INFRASTRUCTURE] },
  wasm: { any: ['shared', ...INFRASTRUCTURE] },
  images: { any: ['shared', ...INFRASTRUCTURE] },
  outbound: { any: ['shared', 'operations', 'outbound'] },
  processes: { any: ['shared', ...INFRASTRUCTURE] },
  agents: { any: ['shared', 'db', 'operations', 'agents', 'processes'] },
  content: { any: ['shared', 'operations', 'content'] },
  // Pages show data of several domains and belong to none.
  pages: { any: ['shared', 'http', 'content', 'rules', 'service', 'pages'] },
  operations: { any: ['shared', 'files', ...INFRASTRUCTURE] },
  settings: { any: ['shared', 'files', 'http', 'storage', 'settings', 'data folder'] },
  'data folder': { any: ['shared', 'files', 'db', 'storage', 'settings', 'data folder'] },
  backup: {
    any: [
      'shared',
      'files',
      'db',
      'storage',
      'wasm',
      'images',
      'processes',
      'operations',
      'rules',
      'repository',
      'service',
      'settings',
      'data folder',
      'backup',
    ],
  },
  // Looks at everything that a server needs, and changes nothing.
  doctor: {
    any: [
      'shared',
      'files',
      'db',
      'storage',
      'repository',
      'http',
      'agents',
      'settings',
      'data folder',
      'backup',
      'doctor',
    ],
  },
  // A client of the registry that it copies.
  mirror: {
    any: [
      'shared',
      'db',
      'storage',
      'wasm',
      'rules',
      'repository',
      'service',
      'data folder',
      'backup',
      'client',
      'mirror',
    ],
  },
  commands: {
    any: [
      'shared',
      'files',
      'db',
      'storage',
      'wasm',
      'images',
      'processes',
      'operations',
      'agents',
      'rules',
      'repository',
      'service',
      'settings',
      'data folder',
      'backup',
      'doctor',
      'mirror',
      'commands',
      'composition',
    ],
  },
  // The only place that knows every part of the server.
  composition: {
    any: [
      'shared',
      'files',
      ...INFRASTRUCTURE,
      'agents',
      'content',
      'pages',
      'rules',
      'repository',
      'service',
      'routes',
      'settings',
      'data folder',
      'backup',
      'composition',
    ],
  },
  entry: { any: ['shared', 'processes', 'operations', 'settings', 'data folder', 'commands', 'composition'] },
  files: { any: ['shared', 'files'] },
  client: { any: ['shared', 'files', 'client'] },
  'renderer app': { any: ['shared', 'renderer app', 'feature', 'component'] },
  feature: { any: ['shared', 'component'], own: ['feature'] },
  component: { any: ['shared', 'component'] },
  frame: { any: ['shared', 'frame'] },
  main: { any: ['shared', 'files', 'main', 'entry'] },
  preload: { any: ['shared', 'preload'] },
}

/** Files that a layer may import although it may not import their layer. */
const EXCEPTIONS: readonly (readonly [Layer, RegExp])[] = [
  ['feature', /^src\/renderer\/features\/[^/]+\/[^/]+\.api\.ts$/],
]

const PACKAGE_RULES: readonly { rule: string; name: RegExp; allowedIn: RegExp; where: string }[] = [
  {
    rule: 'electron',
    name: /^electron$/,
    allowedIn: /^src\/(?:main|preload)\//,
    where: 'only in src/main and src/preload',
  },
  {
    rule: 'express',
    name: /^express$/,
    allowedIn: /^(?!src\/)/,
    where: 'only in the benchmark; the server has its own router',
  },
  {
    rule: 'better-sqlite3',
    name: /^better-sqlite3$/,
    allowedIn: /^src\/server\/(?:db|agents)\//,
    where: 'only in src/server/db and src/server/agents',
  },
  {
    rule: 'sharp',
    name: /^sharp$/,
    allowedIn: /^src\/server\/images\//,
    where: 'only in src/server/images, in a separate process',
  },
  {
    rule: 'react',
    name: /^react(?:-dom)?$/,
    allowedIn: /^src\/renderer\//,
    where: 'only in src/renderer',
  },
  {
    rule: 'shared-packages',
    name: /^(?!zod$|diff$|@bjorn3\/browser_wasi_shim$|@noble\/hashes$|spdx-(?:expression-parse|license-ids)$)/,
    allowedIn: /^src\/(?!shared\/)/,
    where: 'src/shared may only use zod, the WASI shim, SHA-256, the text diff and the license list',
  },
]

const NODE_FREE = /^src\/(?:shared|renderer|preload)\//
const ENVIRONMENT_READERS =
  /^src\/(?:server\/settings\/config|client\/config|server\/db\/(?:allow-uris|temporary-folder)|main\/environment|server\/operations\/systemd)\.ts$/
// The client renames its lock file to take it over from a dead process, and a work folder is renamed before it is
// removed; there is nothing to flush.
const RENAMERS =
  /^src\/(?:files\/durable-files|client\/installed\/file-mutex|server\/backup\/work-folder)\.ts$/
const SQL_HOLDERS = /^src\/server\/(?:db\/|agents\/|.*\.repository\.ts$)/
const SQL = /\b(?:SELECT\s|INSERT\s+INTO\b|UPDATE\s|DELETE\s+FROM\b|(?:CREATE|ALTER|DROP)\s+TABLE\b|PRAGMA\s)/

/** A violated rule by name, with a description. */
export interface Breach {
  rule: string
  reason: string
}

const placeOf = (path: string): Place | null => {
  for (const [pattern, layer] of PLACES) {
    const match = pattern.exec(path)
    if (match !== null) return { layer, part: match[1] ?? '' }
  }
  return null
}

/** Checks that a file belongs to a layer, because otherwise no rule would apply to it. */
export const checkPlace = (path: string): Breach | null =>
  placeOf(path) === null ? { rule: 'place', reason: 'this file belongs to no layer; see PLACES' } : null

/** Checks an import of another file of the project. */
export const checkLayers = (from: string, to: string): Breach | null => {
  const importer = placeOf(from)
  const imported = placeOf(to)
  if (importer === null || imported === null) return null
  const { any, own = [] } = MAY_IMPORT[importer.layer]
  if (any.includes(imported.layer)) return null
  if (own.includes(imported.layer) && importer.part === imported.part) return null
  if (EXCEPTIONS.some(([layer, file]) => layer === importer.layer && file.test(to))) return null
  return { rule: 'layers', reason: `${describePlace(importer)} may not import ${describePlace(imported)}` }
}

const describePlace = ({ layer, part }: Place): string => (part === '' ? layer : `${layer} of ${part}`)

/** Checks an import of a package or of a Node module. */
export const checkPackage = (from: string, specifier: string): Breach | null => {
  if (isBuiltin(specifier)) {
    return NODE_FREE.test(from)
      ? { rule: 'node', reason: 'src/shared, src/renderer and src/preload know nothing of Node' }
      : null
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  const broken = PACKAGE_RULES.find((rule) => rule.name.test(name) && !rule.allowedIn.test(from))
  return broken === undefined ? null : { rule: broken.rule, reason: `${name}: ${broken.where}` }
}

/** Checks an import of one name (`*` for all) from a package or Node module. */
export const checkImportedName = (from: string, specifier: string, name: string): Breach | null => {
  const canRename =
    /^(?:node:)?fs(?:\/promises)?$/.test(specifier) && /^(?:\*|default|promises|rename.*)$/.test(name)
  return canRename && !RENAMERS.test(from) && !NODE_FREE.test(from)
    ? {
        rule: 'rename',
        reason: 'files get their names in src/files/durable-files.ts, which flushes them first',
      }
    : null
}

/** Checks a use of `process.env`. */
export const checkEnvironment = (path: string): Breach | null =>
  ENVIRONMENT_READERS.test(path)
    ? null
    : {
        rule: 'process-env',
        reason: 'only the files in ENVIRONMENT_READERS may read the environment',
      }

/** Checks a string or a part of a template for SQL. Keywords are matched in capitals, as this project writes them. */
export const checkText = (path: string, text: string): Breach | null =>
  SQL.test(text) && !SQL_HOLDERS.test(path)
    ? { rule: 'sql', reason: 'SQL is allowed only in *.repository.ts, src/server/db and src/server/agents' }
    : null
