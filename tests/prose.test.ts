import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const glossary = 'docs/GLOSSARY.md'

/** Returns the phrases in the glossary's last table. */
const readPhrases = (): string[] => {
  const section = readFileSync(join(root, glossary), 'utf8').split('## Phrases that are not used')[1] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| Phrase'))
    .flatMap((line) => line.split('|')[1]?.split(',') ?? [])
    .map((phrase) => phrase.trim())
}

/** Matches what may separate two words of a phrase: a space, or a line break in a comment. */
const between = String.raw`(?: |\s*\n\s*(?:\*|//|#|--)?\s*)`

const findPhrases = (text: string, phrases: readonly string[]): { line: number; phrase: string }[] => {
  const pattern = new RegExp(
    String.raw`(?<![\w-])(?:${phrases.map((phrase) => phrase.replaceAll(' ', between)).join('|')})(?![\w-])`,
    'gi',
  )
  return [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({
    line: text.slice(0, index).split('\n').length,
    phrase,
  }))
}

test('source, tests and docs use none of the phrases that the glossary rules out', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) => /\.(?:ts|tsx|mts|mjs|css|md|html|sh|ps1|toml|yaml|yml)$/.test(file) || file === '.ci/run',
    )
    .filter((file) => file !== glossary && file !== 'tests/prose.test.ts')
  expect(files.length).toBeGreaterThan(900)
  const phrases = readPhrases()
  const found = files.flatMap((file) =>
    findPhrases(readFileSync(join(root, file), 'utf8'), phrases).map(
      ({ line, phrase }) => `${file}:${line}: ${phrase.replaceAll(/\s+/g, ' ')}`,
    ),
  )
  expect(found).toEqual([])
})

test.each([
  ['It is made anew.', 'anew'],
  ['/**\n * Told to whoever\n */', 'whoever'],
  ['  // what is told\n  // apart here', 'told\n  // apart'],
  ['Somebody else decided', 'Somebody'],
])('%j is found', (text, phrase) => {
  expect(findPhrases(text, readPhrases()).map((found) => found.phrase)).toEqual([phrase])
})

test('a word that only contains a phrase is not found', () => {
  expect(findPhrases('A commendable renewal of dependencies.', readPhrases())).toEqual([])
})
