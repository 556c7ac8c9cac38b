import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'

/** A run for `--json`. */
export function describeRun({ stdout, stderr, clamped: _clamped, ...run }: SandboxRun): object {
  return { ...run, stdout: textOf(stdout), stderr: textOf(stderr) }
}

function textOf(bytes: Uint8Array): { text: string } | { base64: string } {
  const text = decodeText(bytes)
  return text === null ? { base64: Buffer.from(bytes).toString('base64') } : { text }
}

/** Null if the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
