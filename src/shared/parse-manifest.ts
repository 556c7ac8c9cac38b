import { DomainError } from './errors.ts'
import {
  maxManifestBytes,
  maxManifestCharacters,
  skillManifestSchema,
  submittedManifestSchema,
} from './contracts/manifest.ts'
import type { SkillManifest } from './contracts/manifest.ts'
import { findUnsafeJson } from './strict-json.ts'
import { summarize, toIssues } from './validation.ts'
import { countCodePoints } from './text.ts'
import { texts } from './validation.texts.ts'

/** Some editors write it at the start of UTF-8 files. It is dropped. */
const byteOrderMark = '\uFEFF'

/** More than the nesting of any valid manifest. */
const maxDepth = 8

/**
 * Parses the manifest part of a submission (sections 2.1 and 8). Throws MANIFEST_TOO_LARGE, or INVALID_MANIFEST with an
 * issue for each invalid field.
 */
export function parseManifest(sent: string): SkillManifest {
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent
  const characters = countCodePoints(text)
  const bytes = new TextEncoder().encode(text).length
  if (characters > maxManifestCharacters || bytes > maxManifestBytes) {
    throw new DomainError(
      'MANIFEST_TOO_LARGE',
      texts.manifest.tooLarge(characters, bytes, maxManifestCharacters, maxManifestBytes),
    )
  }
  // A decoder replaces invalid UTF-8 with U+FFFD. A manifest that needs this character can escape it in JSON.
  if (text.includes('\uFFFD')) {
    throw invalid('manifest', texts.manifest.notUtf8)
  }
  const value = parseJson(text)
  const unsafe = findUnsafeJson(text, maxDepth)
  if (unsafe !== null) throw invalid(unsafe.key ?? 'manifest', unsafe.message)
  return checked(submittedManifestSchema, value)
}

/** Parses a stored manifest, which an older version may have accepted. Throws INVALID_MANIFEST. */
export function parseStoredManifest(text: string): SkillManifest {
  return checked(skillManifestSchema, parseJson(text))
}

function checked(schema: typeof skillManifestSchema, value: unknown): SkillManifest {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issues = toIssues(result.error)
  throw new DomainError('INVALID_MANIFEST', texts.manifest.invalid(summarize(issues)), { issues })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw new DomainError('INVALID_MANIFEST', texts.manifest.notJson(reason), {
      issues: [{ path: 'manifest', message: reason }],
      cause: error,
    })
  }
}

function invalid(path: string, message: string): DomainError {
  return new DomainError('INVALID_MANIFEST', texts.manifest.invalid(`${path} ${message}`), {
    issues: [{ path, message }],
  })
}
