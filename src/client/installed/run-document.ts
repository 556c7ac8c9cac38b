import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'

/** A run for `--json`. */
export function describeRun({ stdout, stderr, clamped: _clamped, ...run }: SandboxRun): object {
  return { ...run, stdout: textOf(stdout), stderr: textOf(stderr) }
}

/** Base64 if the bytes are not UTF-8. */
function textOf(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}
