#!/usr/bin/env node
// Runs the built command line, after updating the build if the sources are available. An old Node hands over to the one
// that npm installed with this package.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { canBuild, isFresh } from './sources.mjs'

const brought = isTooOld() ? findBroughtNode() : undefined
if (brought === undefined) await run()
else handOver(brought)

async function run() {
  if (canBuild() && !isFresh()) {
    const { build } = await import('./build.mjs')
    await build()
  }
  await import('../out/main/cli.js')
}

/** As in src/server/commands/require-node.ts. */
function isTooOld() {
  return Number(process.versions.napi) < 10
}

/** The program of the package `node-SYSTEM-PROCESSOR`, if npm has installed one for this machine. */
function findBroughtNode() {
  const windows = process.platform === 'win32'
  try {
    return createRequire(import.meta.url).resolve(
      `node-${windows ? 'win' : process.platform}-${process.arch}/bin/node${windows ? '.exe' : ''}`,
    )
  } catch {
    return undefined
  }
}

/** Ends as the other process ends, and passes on the signals that it gets. */
function handOver(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`${node} does not start: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status)
    for (const name of signals) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
