import { readFileSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { SkillManifest } from '../../shared/contracts/releases.ts'
import { checkPackage } from '../../shared/findings/check-package.ts'
import { runChecks } from '../../shared/findings/run-checks.ts'
import { runModule } from '../../shared/sandbox/run-module.ts'
import { frameHead } from './frames.ts'
import type { FrameKind } from './frames.ts'
import { readOrder } from './job.ts'
import type { Job, Looked, Order } from './job.ts'

// What a module does while it is compiled or run cannot be interrupted from inside, and no event is handled
// meanwhile: everything here is written and read at once, past the streams of Node.

/** The pipe of which the other end closes with the parent, however that ends. */
const lifelineFd = 3

const endWithParent = `
  try { require('node:fs').readSync(${lifelineFd}, Buffer.alloc(1)) } catch {}
  process.kill(process.pid, 'SIGKILL')`

/** The child's part: one job, and its answer. */
export function workAsChild(): void {
  new Worker(endWithParent, { eval: true, stdout: true, stderr: true }).unref()
  // Ctrl+C reaches it as well as its parent, who ends it and has the word.
  process.on('SIGINT', () => {})
  tell('up', Buffer.alloc(0))
  const order = readOrder(readFileSync(0))
  tell('answer', Buffer.from(JSON.stringify(answer(order.job, order))))
  // An ordinary end would wait for the thread, which waits for the parent.
  process.kill(process.pid, 'SIGKILL')
}

function answer(job: Job, { module, stdin }: Order): unknown {
  if (job.kind === 'look') return look(module, job.manifest)
  const { args, limits } = job
  const told = { stdout: 0, stderr: 0 }
  const write = (stream: 'stdout' | 'stderr', bytes: Uint8Array): void => {
    if (bytes.length > 0) tell(stream, bytes)
    told[stream] += bytes.length
  }
  const { stdout, stderr, ...ran } = runModule(
    { bytes: module, stdin, args, limits },
    ({ moreStdout, moreStderr, ...seen }) => {
      write('stdout', moreStdout)
      write('stderr', moreStderr)
      tell('seen', Buffer.from(JSON.stringify(seen)))
    },
  )
  write('stdout', stdout.subarray(told.stdout))
  write('stderr', stderr.subarray(told.stderr))
  return ran
}

function look(bytes: Uint8Array<ArrayBuffer>, manifest: SkillManifest | null): Looked {
  const checked = checkPackage(bytes)
  const { module, scan } = checked.ok ? checked : { module: null, scan: null }
  const known = { size: bytes.length, module, scan, problem: null, registry: null, runs: null }
  const findings = manifest === null ? [] : runChecks({ manifest, ...known })
  return checked.ok
    ? { ok: true, module: checked.module, findings }
    : { ok: false, problems: checked.problems, findings }
}

function tell(kind: FrameKind, bytes: Uint8Array): void {
  writeAll(frameHead(kind, bytes.length))
  writeAll(bytes)
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(1, bytes, written)
}
