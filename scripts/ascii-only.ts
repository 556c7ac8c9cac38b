import type { Plugin } from 'vite'

/**
 * Escapes all other characters of a script for Node. If it has a single one, V8 stores each of its characters in two bytes, as
 * long as the process runs.
 */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    // The bundler prints the code again after `renderChunk`.
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = escapeOthers(part.code)
    },
  }
}

const escapeOthers = (code: string): string =>
  code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
