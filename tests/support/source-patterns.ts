import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import type { ESTree } from 'vite'

/** A regular expression literal in the source, and all places where it occurs. */
export interface SourcePattern {
  pattern: RegExp
  places: string[]
}

/** All regular expression literals below `src`, and all places where one is constructed from a string. */
export function readSourcePatterns(root: string): { patterns: SourcePattern[]; constructed: string[] } {
  const patterns = new Map<string, SourcePattern>()
  const constructed: string[] = []
  for (const file of listSources(root)) {
    const source = readFileSync(join(root, file), 'utf8')
    const placeOf = (offset: number): string => `${file}:${source.slice(0, offset).split('\n').length}`
    const addConstructed = ({ callee, start }: ESTree.NewExpression | ESTree.CallExpression): void => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') constructed.push(placeOf(start))
    }
    const visitor = new Visitor({
      Literal(node) {
        if (!('regex' in node)) return
        const pattern = new RegExp(node.regex.pattern, node.regex.flags)
        const known = patterns.get(String(pattern)) ?? { pattern, places: [] }
        known.places.push(placeOf(node.start))
        patterns.set(String(pattern), known)
      },
      NewExpression: addConstructed,
      CallExpression: addConstructed,
    })
    visitor.visit(parseSync(file, source).program)
  }
  return { patterns: [...patterns.values()], constructed }
}

const listSources = (root: string): string[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .toSorted()
