import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { request } from 'node:http'
import { join } from 'node:path'
import { requireProgram } from '../programs.ts'
import { until } from '../wait.ts'
import { start, temporaryFolder } from './command-line.ts'
import type { Variables } from './command-line.ts'
import { findFreePort } from './free-port.ts'

export const bucketName = 'skills'

/** A real S3 server on a temporary folder, in a process of its own, with one bucket. */
export interface ObjectStore {
  /** Holds the objects as files. */
  folder: string
  /** What a registry needs to use the bucket. */
  variables: Variables
  stop(): Promise<void>
}

/** `address` and `launch` are those of a machine of its own; `root` has the buckets of an earlier one. */
export async function startObjectStore({
  address,
  launch = start,
  root = temporaryFolder(),
}: { address?: string; launch?: typeof start; root?: string } = {}): Promise<ObjectStore> {
  const program = requireProgram('versitygw')
  if (program === null) throw new Error('versitygw is missing')
  const folder = join(root, bucketName)
  mkdirSync(folder, { recursive: true })
  const host = address ?? `127.0.0.1:${await findFreePort()}`
  const [access, secret] = ['skilldock-test', 'a-secret-of-this-test']
  const args = ['--access', access, '--secret', secret, '--port', host, '--quiet', 'posix', root]
  const { child, output, ended } = launch(program, args)
  const endpoint = `http://${host}`
  await until('versitygw answers', async () => {
    if (child.exitCode !== null) throw new Error(`versitygw ended: ${output.stderr}${output.stdout}`)
    return fetch(endpoint).then(
      () => true,
      () => false,
    )
  })
  return {
    folder,
    variables: {
      SKILLDOCK_STORAGE: `s3://${bucketName}/registry`,
      SKILLDOCK_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Handles a request to the store itself and returns true, or lets it pass to the store, possibly later. */
export type Fault = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** A relay in front of a store that answers badly while `fault` says so. */
export async function startFaultyRelay(endpoint: string) {
  const { hostname, port, host } = new URL(endpoint)
  let fault: Fault | null = null
  const pass = (req: IncomingMessage, res: ServerResponse): void => {
    // The signature includes the host of the relay, so the header is passed on as it is.
    const passed = request(
      { hostname, port, method: req.method, path: req.url, headers: req.headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      },
    )
    passed.on('error', () => res.destroy())
    req.pipe(passed)
  }
  const passUnlessHandled = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if ((await fault?.(req, res)) !== true) pass(req, res)
  }
  const relay = createServer((req, res) => {
    void passUnlessHandled(req, res)
  })
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error(`no port for ${host}`)
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    breakWith: (next: Fault | null): void => void (fault = next),
    stop(): void {
      relay.closeAllConnections()
      relay.close()
    },
  }
}
