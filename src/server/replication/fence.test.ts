import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../../../tests/support/server/command-line.ts'
import { startObjectStore } from '../../../tests/support/server/object-store.ts'
import type { ObjectStore } from '../../../tests/support/server/object-store.ts'
import { skipWithout } from '../../../tests/support/programs.ts'
import { parseStorageLocation } from '../settings/storage-location.ts'
import { openBucket } from '../storage/bucket.ts'
import type { Bucket } from '../storage/bucket.ts'
import { readFence, replaceFence } from './fence.ts'

describe.skipIf(skipWithout('versitygw'))('the fence in a bucket (needs versitygw)', () => {
  let objects: ObjectStore
  beforeAll(async () => {
    objects = await startObjectStore()
  })
  afterAll(async () => {
    await objects.stop()
    await cleanUp()
  })
  const open = (name: string): Bucket =>
    openBucket(parseStorageLocation(`${objects.variables['SKILLDOCK_STORAGE']}/${name}`, objects.variables))
  const first = { epoch: 1, writer: 'a', txid: 1 }

  test('of two machines that write the first one, one succeeds, and the other sees it', async () => {
    const bucket = open('first')
    const written = await Promise.all(
      ['a', 'b', 'c', 'd'].map((writer) => replaceFence(bucket, { ...first, writer }, null)),
    )
    expect(new Set(written.map(({ writer }) => writer)).size).toBe(1)
    expect(await readFence(bucket)).toEqual(written[0])
  })

  test('a machine whose own write arrived late writes again', async () => {
    const bucket = open('late')
    const former = await replaceFence(bucket, first, null)
    await replaceFence(bucket, { ...first, txid: 2 }, former)
    expect(await replaceFence(bucket, { ...first, txid: 3 }, former)).toMatchObject({ txid: 3 })
    expect(await readFence(bucket)).toMatchObject({ ...first, txid: 3 })
  })

  test('a machine that was replaced changes nothing', async () => {
    const bucket = open('replaced')
    const former = await replaceFence(bucket, first, null)
    const raised = await replaceFence(bucket, { epoch: 2, writer: 'b', txid: 1 }, former)
    expect(await replaceFence(bucket, { ...first, txid: 2 }, former)).toEqual(raised)
    expect(await readFence(bucket)).toEqual(raised)
  })
})
