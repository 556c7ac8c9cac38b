import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { manyStringsModule, millionFunctionsModule } from '../../support/fixtures/big-modules.ts'
import { manifest, publish, review } from '../../support/server/publish.ts'
import { compare, loaded } from '../compare.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, untargeted } from '../figures.ts'
import { get } from '../load.ts'
import { startPeer } from '../processes.ts'

const smallPackage = 65_536

/** Publishes and approves a module. */
async function addPackage(bench: Bench, module: Uint8Array): Promise<{ path: string; file: string }> {
  const { url } = await bench.server()
  const name = `package-${module.length}-${Date.now()}`
  const reply = await publish(url, await bench.token('developer'), manifest({ name }), module)
  if (reply.status !== 201) throw new Error(`Publishing failed: ${JSON.stringify(reply.body)}`)
  await review(url, await bench.token('administrator'), reply.body.id, 'approved')
  const digest = createHash('sha256').update(module).digest('hex')
  return {
    path: `/api/marketplace/skills/${name}/1.0.0/package`,
    file: join(dataPaths(bench.folder).packages, digest),
  }
}

const small: Case = {
  goals: {
    'package/64 KiB': atLeast(0.6),
    'package/64 KiB, Express': atLeast(1.5),
  },
  async measure(bench) {
    const { path, file } = await addPackage(bench, manyStringsModule(smallPackage, 512))
    await bench.prepare({ streamed: file })
    const ours = loaded(bench, await bench.server(), () => ({ requests: [get(path)] }))
    const peerOf = async (running: Awaited<ReturnType<typeof startPeer>>) =>
      compare(
        bench,
        ours,
        loaded(bench, running, () => ({ requests: [get('/streamed')] })),
      )
    const bare = await peerOf(await bench.bare())
    const express = await startPeer('express.mjs', file)
    try {
      return { 'package/64 KiB': bare, 'package/64 KiB, Express': await peerOf(express) }
    } finally {
      await express.stop()
    }
  },
}

const large: Case = {
  goals: { 'package/16 MiB': atLeast(0.95), 'package/16 MiB, not modified': untargeted },
  async measure(bench) {
    const { path, file } = await addPackage(bench, millionFunctionsModule(bench.size.package))
    await bench.prepare({ streamed: file })
    const [server, peer] = [await bench.server(), await bench.bare()]
    const whole = await compare(
      bench,
      loaded(bench, server, () => ({ requests: [get(path)] })),
      loaded(bench, peer, () => ({ requests: [get('/streamed')] })),
      'elapsed',
    )
    const { headers, body } = await fetch(`${server.url}${path}`)
    await body?.cancel()
    const etag = headers.get('etag')
    if (etag === null) throw new Error('The package has no ETag')
    const conditional = { requests: [get(path, { 'If-None-Match': etag })], status: 304 }
    const notModified = await compare(
      bench,
      loaded(bench, server, () => conditional),
      loaded(bench, peer, () => conditional),
    )
    return { 'package/16 MiB': whole, 'package/16 MiB, not modified': notModified }
  },
}

export const fileCases: readonly Case[] = [small, large]
