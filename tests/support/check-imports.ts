import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import {
  checkEnvironment,
  checkImportedName,
  checkLayers,
  checkPackage,
  checkPlace,
  checkText,
  type Breach,
} from './import-rules.ts'

/** A violation: the file (relative, forward slashes), its 1-based line, and the import or name. */
export interface Violation extends Breach {
  file: string
  line: number
  subject: string
}

interface Found {
  imports: { specifier: string; names: string[]; offset: number }[]
  exports: { name: string; offset: number }[]
  environment: number[]
  texts: { text: string; offset: number }[]
}

/**
 * Checks every source file below `<root>/src` against import-rules.ts, and that all its exports are used. Tests may import
 * anything.
 */
export const checkImports = (root: string): Violation[] => {
  const files = listSources(root)
  const edges = new Map<string, Edge[]>()
  const violations = files.flatMap((file) => checkFile(root, file, edges))
  return [...violations, ...findCycles(edges), ...findUnusedExports(root, files)]
}

const listSources = (root: string): string[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/(?:\.test\.tsx?|\.d\.ts|\/vite\.config\.ts)$/.test(file))
    .toSorted()

interface Edge {
  to: string
  line: number
  specifier: string
}

const checkFile = (root: string, file: string, edges: Map<string, Edge[]>): Violation[] => {
  const source = readFileSync(resolve(root, file), 'utf8')
  const { program, errors } = parseSync(file, source)
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  const violations: Violation[] = errors.map(({ message }) => ({
    file,
    line: 1,
    subject: file,
    rule: 'syntax',
    reason: message,
  }))
  const report = (breach: Breach | null, offset: number, subject: string): void => {
    if (breach !== null) violations.push({ file, line: lineAt(offset), subject, ...breach })
  }

  report(checkPlace(file), 0, file)
  const found = readProgram(program)
  const own: Edge[] = []
  edges.set(file, own)
  for (const { specifier, names, offset } of found.imports) {
    if (specifier.startsWith('.')) {
      const to = resolveImport(root, file, specifier)
      own.push({ to, line: lineAt(offset), specifier })
      report(checkLayers(file, to), offset, specifier)
    } else {
      report(checkPackage(file, specifier), offset, specifier)
      for (const name of names) report(checkImportedName(file, specifier, name), offset, specifier)
    }
  }
  for (const offset of found.environment) report(checkEnvironment(file), offset, 'process.env')
  for (const { text, offset } of found.texts) report(checkText(file, text), offset, text.trim().slice(0, 60))
  return violations
}

// Imports include the file extension; bundler suffixes such as `?raw` are not part of the path.
const resolveImport = (root: string, from: string, specifier: string): string => {
  const path = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
  const endings = ['', '.ts', '.tsx', '/index.ts']
  return (
    path +
    (endings.find((ending) => /\.\w+$/.test(path + ending) && existsSync(resolve(root, path + ending))) ?? '')
  )
}

const readProgram = (program: ESTree.Program): Found => {
  const found: Found = { imports: [], exports: [], environment: [], texts: [] }
  const addImport = (source: ESTree.Node | null, names: string[] = ['*']): void => {
    if (source === null) return
    if (source.type === 'Literal' && typeof source.value === 'string') {
      found.imports.push({ specifier: source.value, names, offset: source.start })
    }
  }
  new Visitor({
    ImportDeclaration(node) {
      addImport(
        node.source,
        node.specifiers.map((one) => (one.type === 'ImportSpecifier' ? (nameOf(one.imported) ?? '*') : '*')),
      )
      const takesEnvironment = node.specifiers.some(
        (one) => one.type === 'ImportSpecifier' && nameOf(one.imported) === 'env',
      )
      if (/^(?:node:)?process$/.test(node.source.value) && takesEnvironment)
        found.environment.push(node.start)
    },
    ExportNamedDeclaration(node) {
      addImport(
        node.source,
        node.specifiers.map((one) => nameOf(one.local) ?? '*'),
      )
      for (const name of declaredNames(node)) found.exports.push({ name, offset: node.start })
    },
    ExportAllDeclaration: (node) => addImport(node.source),
    ImportExpression: (node) => addImport(node.source),
    TSImportType: (node) => addImport(node.source),
    CallExpression(node) {
      if (nameOf(node.callee) === 'require') addImport(node.arguments[0] ?? null)
    },
    MemberExpression(node) {
      if (nameOf(node.property) === 'env' && isProcess(node.object)) found.environment.push(node.start)
    },
    VariableDeclarator(node) {
      if (node.id.type !== 'ObjectPattern' || node.init === null || !isProcess(node.init)) return
      const takesEnvironment = node.id.properties.some(
        (one) => one.type === 'RestElement' || nameOf(one.key) === 'env',
      )
      if (takesEnvironment) found.environment.push(node.start)
    },
    Literal(node) {
      if (typeof node.value === 'string') found.texts.push({ text: node.value, offset: node.start })
    },
    TemplateElement: (node) => void found.texts.push({ text: node.value.cooked ?? '', offset: node.start }),
  }).visit(program)
  return found
}

/** The names that a statement exports of its own file. */
const declaredNames = ({ declaration, specifiers, source }: ESTree.ExportNamedDeclaration): string[] => {
  if (source !== null) return []
  if (declaration === null) return specifiers.flatMap((one) => nameOf(one.exported) ?? [])
  if (declaration.type !== 'VariableDeclaration') {
    return 'id' in declaration && declaration.id !== null ? [nameOf(declaration.id) ?? []].flat() : []
  }
  return declaration.declarations.flatMap(({ id }) => {
    if (id.type !== 'ObjectPattern') return nameOf(id) ?? []
    return id.properties.flatMap((one) => (one.type === 'Property' ? (nameOf(one.value) ?? []) : []))
  })
}

const nameOf = (node: ESTree.Node): string | null => {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

const isProcess = (node: ESTree.Node): boolean =>
  nameOf(node) === 'process' || (node.type === 'MemberExpression' && nameOf(node.property) === 'process')

// Type imports count too, because two files that use each other's types are also hard to read separately.
const findCycles = (edges: ReadonlyMap<string, readonly Edge[]>): Violation[] => {
  const violations: Violation[] = []
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    for (const { to, line, specifier } of edges.get(file) ?? []) {
      const start = path.indexOf(to)
      if (start !== -1) {
        const reason = [...path.slice(start), to].join(' > ')
        violations.push({ file, line, subject: specifier, rule: 'cycle', reason })
      } else if (!finished.has(to)) {
        visit(to, [...path, to])
      }
    }
    finished.add(file)
  }
  for (const file of edges.keys()) if (!finished.has(file)) visit(file, [file])
  return violations
}

/** Exports that no other source, test or script imports. */
const findUnusedExports = (root: string, sources: readonly string[]): Violation[] => {
  const read = (file: string): { found: Found; source: string } => {
    const source = readFileSync(resolve(root, file), 'utf8')
    return { found: readProgram(parseSync(file, source).program), source }
  }
  const others = globSync(['{src,tests,scripts,resources}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
  const used = new Set<string>()
  for (const file of others) {
    for (const { specifier, names } of read(file).found.imports) {
      if (specifier.startsWith('.'))
        for (const name of names) used.add(`${resolveImport(root, file, specifier)} ${name}`)
    }
  }
  return sources.flatMap((file) => {
    if (used.has(`${file} *`)) return []
    const { found, source } = read(file)
    return found.exports
      .filter(({ name }) => !used.has(`${file} ${name}`))
      .map(({ name, offset }) => ({
        file,
        line: source.slice(0, offset).split('\n').length,
        subject: name,
        rule: 'unused export',
        reason: 'no other file imports it',
      }))
  })
}

if (import.meta.main) {
  const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../..'))
  const violations = checkImports(root)
  for (const { file, line, subject, rule, reason } of violations) {
    console.error(`${file}:${line} ${JSON.stringify(subject)} breaks the rule "${rule}": ${reason}`)
  }
  console.log(`${listSources(root).length} files checked, ${violations.length} broken import rules`)
  if (violations.length > 0) process.exitCode = 1
}
