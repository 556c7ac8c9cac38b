import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { requireProgram } from '../programs.ts'

type Schema = 'atom.rng' | 'sitemap.xsd'

/** Validates a document with xmllint and one of the schemas in `schemas`; returns its errors, empty if valid. */
export function lintXml(xml: string, schema: Schema): string {
  const program = requireProgram('xmllint')
  if (program === null) throw new Error('xmllint is not installed')
  const file = join(import.meta.dirname, '../schemas', schema)
  const option = schema.endsWith('.rng') ? '--relaxng' : '--schema'
  const { status, stderr, error } = spawnSync(program, ['--noout', '--nonet', option, file, '-'], {
    input: xml,
    encoding: 'utf8',
  })
  if (error !== undefined) throw error
  return status === 0 ? '' : stderr
}
