import { DomainError } from './errors.ts'
import {
  maxManifestBytes,
  maxManifestCharacters,
  skillManifestSchema,
  submittedManifestSchema,
} from './contracts/releases.ts'
import type { SkillManifest } from './contracts/releases.ts'
import { findUnsafeJson } from './strict-json.ts'
import { summarize, toIssues } from './validation.ts'
import { countCodePoints } from './text.ts'

/** Some editors write it in front of UTF-8; it says nothing and is dropped. */
const byteOrderMark = '\uFEFF'

/** How deep an accepted manifest is nested; anything deeper cannot be one. */
const maxDepth = 8

/**
 * Reads the manifest part of a submission (sections 2.1 and 8). Throws MANIFEST_TOO_LARGE or
 * INVALID_MANIFEST with every field that is wrong.
 */
export function parseManifest(sent: string): SkillManifest {
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent
  const characters = countCodePoints(text)
  const bytes = new TextEncoder().encode(text).length
  if (characters > maxManifestCharacters || bytes > maxManifestBytes) {
    throw new DomainError(
      'MANIFEST_TOO_LARGE',
      `The manifest has ${characters} characters and ${bytes} bytes; at most ${maxManifestCharacters} characters ` +
        `and ${maxManifestBytes} bytes of UTF-8 are taken. Shorten the readme.`,
    )
  }
  // A decoder puts U+FFFD where bytes are no UTF-8; as JSON can escape the character itself, nothing is lost.
  if (text.includes('\uFFFD')) {
    throw invalid(
      'manifest',
      'is not valid UTF-8 text; save it as UTF-8 (a U+FFFD that is meant is written \\ufffd)',
    )
  }
  const value = parseJson(text)
  const unsafe = findUnsafeJson(text, maxDepth)
  if (unsafe !== null) throw invalid(unsafe.key ?? 'manifest', unsafe.message)
  return checked(submittedManifestSchema, value)
}

/** Reads a manifest that is stored, whichever version accepted it. Throws INVALID_MANIFEST. */
export function parseStoredManifest(text: string): SkillManifest {
  return checked(skillManifestSchema, parseJson(text))
}

function checked(schema: typeof skillManifestSchema, value: unknown): SkillManifest {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issues = toIssues(result.error)
  throw new DomainError('INVALID_MANIFEST', `The manifest is not accepted: ${summarize(issues)}.`, { issues })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw new DomainError('INVALID_MANIFEST', `The manifest is not JSON: ${reason}.`, {
      issues: [{ path: 'manifest', message: reason }],
      cause: error,
    })
  }
}

function invalid(path: string, message: string): DomainError {
  return new DomainError('INVALID_MANIFEST', `The manifest is not accepted: ${path} ${message}.`, {
    issues: [{ path, message }],
  })
}
