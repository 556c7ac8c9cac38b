import { spawn } from 'node:child_process'
import type { Variables } from '../server/command-line.ts'

/** The fenced blocks of one language in a Markdown document. */
export function fencedBlocks(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...markdown.matchAll(fence)].map((match) => match[1] ?? '')
}

export interface RunBlock {
  script: string
  /** Standard output and standard error, interleaved. */
  output: string
}

const mark = '=== end of block ==='

/**
 * Runs blocks one after another in one bash, as if typed by a reader: variables and the working directory are kept.
 * Stops at the first command that fails; `blocks` are those that ran, with the failed one last.
 */
export async function runBlocks(
  scripts: readonly string[],
  place: { cwd: string; env: Variables },
): Promise<{ status: number | null; blocks: RunBlock[] }> {
  const script = scripts.map((block) => `${block}\necho '${mark}'\n`).join('')
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    shell.once('error', reject)
    shell.once('close', resolve)
  })
  const outputs = output.split(`${mark}\n`)
  if (status === 0) outputs.pop()
  return { status, blocks: outputs.map((text, at) => ({ script: scripts[at] ?? '', output: text })) }
}
