import { readFileSync, writeSync } from 'node:fs'
import { frameHead } from './message-frames.ts'
import type { FrameKind } from './message-frames.ts'
import type { Inspection } from './answers.ts'
import { parseRequest } from './job.ts'
import type { Job, JobRequest } from './job.ts'

type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>

// While a module is compiled or run, no events are handled, so all input and output here is synchronous and bypasses
// Node's streams.

/** A pipe whose other end closes when the parent ends, however that happens. */
const lifelineFd = 3

const endWithParent = `
  try { require('node:fs').readSync(${lifelineFd}, Buffer.alloc(1)) } catch {}
  process.kill(process.pid, 'SIGKILL')`

/** Entry point of the child process: runs one job and answers. Imports what the job needs before the time limit starts. */
export async function runAsChild(): Promise<void> {
  // Ctrl+C is sent to the parent too, which kills this process and reports the interruption.
  process.on('SIGINT', () => {})
  const { Worker } = await import('node:worker_threads')
  new Worker(endWithParent, { eval: true, stdout: true, stderr: true }).unref()
  const request = parseRequest(readFileSync(0))
  const work =
    request.job.kind === 'inspect' ? await prepareInspection(request.job) : await prepareRun(request.job)
  send('ready', Buffer.alloc(0))
  send('answer', Buffer.from(JSON.stringify(work(request))))
  // A normal exit would wait for the worker thread, which waits for the parent.
  process.kill(process.pid, 'SIGKILL')
}

async function prepareRun({ args, limits }: JobOf<'run'>): Promise<(request: JobRequest) => unknown> {
  const { runModule } = await import('../../shared/sandbox/run-module.ts')
  return ({ module, stdin }) => {
    const sent = { stdout: 0, stderr: 0 }
    const write = (stream: 'stdout' | 'stderr', bytes: Uint8Array): void => {
      if (bytes.length > 0) send(stream, bytes)
      sent[stream] += bytes.length
    }
    const { stdout, stderr, ...ran } = runModule(
      { bytes: module, stdin, args, limits },
      ({ moreStdout, moreStderr, ...seen }) => {
        write('stdout', moreStdout)
        write('stderr', moreStderr)
        send('progress', Buffer.from(JSON.stringify(seen)))
      },
    )
    write('stdout', stdout.subarray(sent.stdout))
    write('stderr', stderr.subarray(sent.stderr))
    return ran
  }
}

async function prepareInspection({
  manifest,
}: JobOf<'inspect'>): Promise<(request: JobRequest) => Inspection> {
  const { checkPackage } = await import('../../shared/findings/check-package.ts')
  const { runChecks } = await import('../../shared/findings/run-checks.ts')
  return ({ module: bytes }) => {
    const checked = checkPackage(bytes)
    const { module, scan } = checked.ok ? checked : { module: null, scan: null }
    const known = { size: bytes.length, module, scan, problem: null, registry: null, runs: null }
    const findings = manifest === null ? [] : runChecks({ manifest, ...known })
    return checked.ok
      ? { ok: true, module: checked.module, findings }
      : { ok: false, problems: checked.problems, findings }
  }
}

function send(kind: FrameKind, bytes: Uint8Array): void {
  writeAll(frameHead(kind, bytes.length))
  writeAll(bytes)
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(1, bytes, written)
}
