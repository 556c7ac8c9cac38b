import { generateKeyPairSync, sign, verify as verifySignature } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createFrameReader, frameHead } from '../../src/client/child/frames.ts'
import { ClientError } from '../../src/client/client-error.ts'
import { parseLoosely } from '../../src/client/parse-loosely.ts'
import { readRegistryAddress } from '../../src/client/registry/registry-address.ts'
import { readReleaseName } from '../../src/client/registry/registry.ts'
import { toResponseError } from '../../src/client/registry/response-error.ts'
import { openArchive } from '../../src/server/backup/archive-reader.ts'
import { createArchive } from '../../src/server/backup/archive-writer.ts'
import {
  databaseName,
  manifestName,
  maxManifestBytes,
  readManifest,
  signingKeyName,
  writeManifest,
} from '../../src/server/backup/backup-manifest.ts'
import { blockBytes, paddingOf } from '../../src/server/backup/tar-header.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { isTooDeep } from '../../src/server/content/nesting-depth.ts'
import { markdownToHtml } from '../../src/server/content/markdown-to-html.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { Refusal } from '../../src/server/data-folder/refusal.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { createBuiltInVerifier } from '../../src/server/domains/identity/built-in-tokens.service.ts'
import { receiveMultipart } from '../../src/server/http/multipart.ts'
import { readSigningKey } from '../../src/server/storage/signing-key.ts'
import {
  maxManifestBytes as maxSubmittedBytes,
  registryListSchema,
  submissionBody,
} from '../../src/shared/contracts/releases.ts'
import { DomainError } from '../../src/shared/errors.ts'
import {
  parseCheckpoint,
  openNote,
  parseVerifierKey,
  signNote,
  verifierKeyOf,
} from '../../src/shared/log/signed-note.ts'
import { parseManifest } from '../../src/shared/manifest.ts'
import { checkCommandModule } from '../../src/shared/wasm/check-command-module.ts'
import { describeModule } from '../../src/shared/wasm/describe-module.ts'
import { readModule } from '../../src/shared/wasm/read-module.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { collectedTypesModule } from '../support/fixtures/wasm-bytes.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { manifest } from '../support/server/publish.ts'
import { rawToken } from '../support/server/tokens.ts'
import { ascii, assert, refusing, textOf } from './fuzz-target.ts'
import type { WeightedTarget } from './fuzz-target.ts'
import { httpTarget } from './http-target.ts'
import { decodingTarget, imageTarget } from './image-targets.ts'
import type { Bytes } from './mutate.ts'
import { projectTarget } from './project-target.ts'

/** All parsers of untrusted bytes. `folder` is empty, and is used by those that read files. */
export async function createTargets(folder: string): Promise<WeightedTarget[]> {
  return [
    manifestTarget(),
    await moduleTarget(),
    await imageTarget(),
    await decodingTarget(join(folder, 'image')),
    markdownTarget(),
    await multipartTarget(),
    await tokenTarget(join(folder, 'tokens')),
    noteTarget(),
    frameTarget(),
    answerTarget(),
    await backupTarget(folder),
    await projectTarget(folder),
    await httpTarget(),
  ]
}

function manifestTarget(): WeightedTarget {
  return {
    name: 'manifest',
    weight: 4,
    batchSize: 250,
    seeds: [ascii(JSON.stringify(manifest())), ascii(JSON.stringify(manifest(), null, 2))],
    words: [
      '"name":',
      '"__proto__":',
      '{',
      '[',
      '}',
      ']',
      '\\u0000',
      '\\ud800',
      '\u00ef\u00bb\u00bf',
      'null',
      '1e999',
      '"',
    ],
    read(bytes) {
      const parsed = refusing(DomainError, () => parseManifest(textOf(bytes)))
      if (parsed !== null)
        assert(bytes.length <= maxSubmittedBytes + 3, 'a manifest over the limit was accepted')
    },
  }
}

async function moduleTarget(): Promise<WeightedTarget> {
  const texts = [
    '(module (memory (export "memory") 1) (func (export "_start")))',
    `(module
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 2 9) (table 2 funcref) (global (mut i64) (i64.const -1))
      (data (i32.const 8) "hello\\0a") (elem (i32.const 0) func $write)
      (func (export "_start") (local i32 i64 v128)
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 20)))))`,
  ]
  return {
    name: 'module',
    weight: 4,
    batchSize: 250,
    seeds: [...(await Promise.all(texts.map(assembleWat))), collectedTypesModule()],
    words: [
      '\0asm\x01\0\0\0',
      '\xff\xff\xff\xff\x0f',
      '\x80\x80\x80\x80\x00',
      '_start',
      'memory',
      'name',
      '\x0b',
    ],
    read(bytes) {
      const reading = readModule(bytes)
      if (reading.ok) {
        if (checkCommandModule(reading.module).length === 0) describeModule(bytes, reading.module)
        return
      }
      const { offset, code } = reading.problem
      assert(offset >= 0 && offset <= bytes.length, 'a problem lies outside the file')
      assert(
        code === 'limit' || !WebAssembly.validate(bytes),
        `a valid module was refused: ${JSON.stringify(reading.problem)}`,
      )
    },
  }
}

/** What a browser would run or load from elsewhere, inside a tag. */
const unsafeTag =
  /<(?:script|style|iframe|object|embed|form|meta|link|svg|base)\b|<[a-z][^>]*\s(?:on[a-z]+|style|srcdoc)=|<[a-z][^>]*\s(?:href|src)="\s*(?:javascript|data|vbscript):/i

function markdownTarget(): WeightedTarget {
  return {
    name: 'markdown',
    weight: 2,
    batchSize: 100,
    seeds: [
      ascii(
        '# Title\n\nA *text* with [a link](https://example.com "title"), `code` and ![an image](image:abc).\n\n- one\n  1. two\n\n> quoted\n\n```js\nlet x\n```\n',
      ),
      ascii(
        '| a | b |\n| --- | :-: |\n| 1 | <b onclick="x()">2</b> |\n\n[x]: javascript:alert(1)\n\n[x] <script>alert(1)</script>\n',
      ),
    ],
    words: [
      '<script>',
      'javascript:',
      '](',
      '![',
      '```',
      '&#x6A;',
      '<a href="',
      ' onerror=',
      '> ',
      '- ',
      '\n\n',
      '**',
      '[x]: ',
      '<!--',
      '~~',
      '<https://',
    ],
    read(bytes) {
      // Converted in a worker that is terminated after a while, so only short texts must be quick.
      const text = textOf(bytes).slice(0, 4000)
      if (isTooDeep(text)) return
      for (const { html } of markdownToHtml(text, {})) assert(!unsafeTag.test(html), `unsafe HTML: ${html}`)
    },
  }
}

/** The real reader behind a real server, which receives the body in pieces. */
async function multipartTarget(): Promise<WeightedTarget> {
  const drain = async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
    let length = 0
    for await (const chunk of stream) length += chunk.length
    return length
  }
  const server = createServer((req, res) => {
    const sink = { receive: drain, discard: () => Promise.resolve() }
    void receiveMultipart(req, res, submissionBody, sink, 5000).then(
      () => res.end('accepted'),
      (error: unknown) => {
        res.shouldKeepAlive = false
        res.end(error instanceof DomainError ? 'refused' : String(error))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const body = multipartBody([manifestPart(manifest()), wasmPart(ascii('\0asm\x01\0\0\0'))])
  const boundary = multipartType.slice(multipartType.indexOf('=') + 1)
  return {
    name: 'multipart',
    weight: 0.5,
    batchSize: 25,
    seeds: [new Uint8Array(body)],
    words: [
      '\r\n',
      `--${boundary}`,
      `\r\n--${boundary}--\r\n`,
      'Content-Disposition: form-data; name="',
      '; filename="',
      "; filename*=utf-8''",
      '"',
      '\r\n\r\n',
      'Content-Type: ',
      'manifest',
      'wasm',
    ],
    async read(bytes) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': multipartType },
        body: bytes,
      })
      const text = await answer.text()
      assert(text === 'accepted' || text === 'refused', text)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function tokenTarget(folder: string): Promise<WeightedTarget> {
  const { token } = await withPeople(
    (people) => people.issueToken({ subject: 'alice', role: 'developer' }),
    folder,
  )
  const paths = dataPaths(folder)
  const database = openDatabase(paths.database)
  const verify = createBuiltInVerifier(database, readSigningKey(paths.signingKey), () => null)
  const partsOf = (text: string): string =>
    text
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('hex'))
      .join('.')
  return {
    name: 'token',
    weight: 1,
    batchSize: 100,
    seeds: [ascii(token), ascii(rawToken({ alg: 'none' }, { sub: 'alice', exp: 1e12, iat: 0, jti: 'x' }))],
    words: ['.', 'eyJhbGciOiJub25lIn0', 'eyJhbGciOiJIUzI1NiJ9', '==', 'e30'],
    async read(bytes) {
      const sent = textOf(bytes)
      try {
        await verify(sent)
      } catch (error) {
        if (error instanceof DomainError) return
        throw error
      }
      assert(partsOf(sent) === partsOf(token), 'a changed token was accepted')
    },
    close: () => database.close(),
  }
}

function noteTarget(): WeightedTarget {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = verifierKeyOf(
    'registry.example/log',
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  )
  const text = `registry.example/log\n12\n${Buffer.alloc(32).toString('base64')}\n`
  const note = signNote(text, key, (message) => sign(null, message, privateKey))
  const check = (_key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
    verifySignature(null, message, publicKey, signature)
  return {
    name: 'signed note',
    weight: 2,
    batchSize: 100,
    seeds: [ascii(note), ascii(text)],
    words: ['\n', '\n\n', '+', '\xe2\x80\x94 ', ' ', '=', 'registry.example/log', '00000000'],
    read(bytes) {
      const sent = textOf(bytes)
      const opened = openNote(sent, key, check)
      assert(opened === null || opened === text, 'a changed note was accepted')
      parseCheckpoint(sent)
      parseVerifierKey(sent)
    },
  }
}

/** Frames as the parent of a sandbox reads them. */
function frameTarget(): WeightedTarget {
  const frame = (kind: Parameters<typeof frameHead>[0], text: string): Buffer =>
    Buffer.concat([frameHead(kind, text.length), Buffer.from(text)])
  return {
    name: 'frames',
    weight: 2,
    batchSize: 100,
    seeds: [
      new Uint8Array(Buffer.concat([frame('ready', ''), frame('stdout', 'hello'), frame('answer', '{}')])),
    ],
    words: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01\0\0\0\x04'],
    read(bytes) {
      const framesOf = (chunks: Bytes[]): string => {
        const frames: string[] = []
        const receive = createFrameReader((kind, content) => void frames.push(kind, content.toString('hex')))
        try {
          for (const chunk of chunks) receive(Buffer.from(chunk))
        } catch (error) {
          // The reader's own sentences; a RangeError of a Buffer is not one.
          if (!(error instanceof Error) || error.constructor !== Error) throw error
          frames.push(error.message)
        }
        return frames.join()
      }
      const middle = Math.floor(bytes.length / 2)
      assert(
        framesOf([bytes]) === framesOf([bytes.slice(0, middle), bytes.slice(middle)]),
        'the frames depend on how their bytes are divided',
      )
    },
  }
}

/** Answers and names as the publish client reads them. */
function answerTarget(): WeightedTarget {
  const item = { id: 1, ...manifest(), publisher: 'Alice', sha256: '0'.repeat(64), size: 8 }
  return {
    name: 'client answers',
    weight: 2,
    batchSize: 100,
    seeds: [
      ascii(JSON.stringify({ items: [item], next: null })),
      ascii(
        JSON.stringify({
          error: 'Try again later.',
          code: 'TOO_MANY_REQUESTS',
          issues: [{ path: 'a', message: 'b' }],
        }),
      ),
      ascii('https://registry.example/'),
      ascii('upper-case@1.0.0'),
    ],
    words: ['"items":', '"error":', '"code":', '{', '[', '@', '://', '__proto__', '\\u001b[2J', 'null'],
    read(bytes) {
      const text = textOf(bytes)
      parseLoosely(registryListSchema, text)
      refusing(ClientError, () => readReleaseName(text))
      refusing(ClientError, () => readRegistryAddress(text))
      let body: unknown = null
      try {
        body = JSON.parse(text)
      } catch {
        body = text
      }
      const error = toResponseError({
        url: new URL('https://registry.example/'),
        status: 429,
        retryAfter: text.slice(0, 20),
        body,
        signIn: 'Sign in.',
      })
      assert(!/[^\n\t\P{Cc}]/u.test(error.message), 'control characters reach the terminal')
    },
  }
}

/** A small archive with the layout of a backup. Apart from its times, any accepted archive must equal it. */
async function backupTarget(folder: string): Promise<WeightedTarget> {
  const file = join(folder, 'backup.tar')
  const contents = [
    [databaseName, Buffer.alloc(1000, 1)],
    [signingKeyName, Buffer.from('{}')],
  ] as const
  const once = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes)
  }
  const text = writeManifest({
    format: 'skilldock-backup',
    formatVersion: 3,
    createdAt: '2026-01-01T00:00:00Z',
    files: {
      [databaseName]: { size: 1000, sha256: '0'.repeat(64) },
      [signingKeyName]: { size: 2, sha256: '0'.repeat(64) },
    },
    counts: { people: 0, releases: 0, packages: 0, packageBytes: 0, pictures: 0, pictureBytes: 0 },
  })
  const archive = await createArchive(file, 1_700_000_000)
  await archive.add(manifestName, Buffer.byteLength(text), once(Buffer.from(text)))
  await archive.add(databaseName, 1000, once(contents[0][1]))
  await archive.add(signingKeyName, 2, once(contents[1][1]))
  await archive.finish()
  await archive.close()
  const seed = new Uint8Array(readFileSync(file))

  /** An archive without what it states by itself: the time in each header, and the checksum over it. */
  const withoutTimes = (bytes: Bytes): Buffer => {
    const rest = Buffer.from(bytes)
    let at = 0
    for (const size of [Buffer.byteLength(text), ...contents.map(([, content]) => content.length)]) {
      rest.fill(0, at + 136, at + 156)
      at += blockBytes + size + paddingOf(size)
    }
    return rest
  }
  const readAll = async (): Promise<void> => {
    const reader = await openArchive(file)
    try {
      const first = await reader.readFirst(manifestName, maxManifestBytes)
      readManifest(first.bytes)
      for (const [name, expected] of contents) {
        // oxlint-disable-next-line no-await-in-loop
        for await (const chunk of reader.read({ name, size: expected.length, mtime: first.mtime })) {
          if (!chunk.equals(expected)) throw new Refusal(`${name}: its content has been changed`)
        }
      }
      await reader.readEnd()
    } finally {
      await reader.close()
    }
  }
  return {
    name: 'backup',
    weight: 0.5,
    batchSize: 25,
    seeds: [seed],
    words: ['ustar\0', '00000000000', '77777777777', manifestName, '../', '\0'.repeat(512)],
    async read(bytes) {
      writeFileSync(file, bytes)
      try {
        await readAll()
      } catch (error) {
        if (error instanceof Refusal) return
        throw error
      }
      assert(withoutTimes(bytes).equals(withoutTimes(seed)), 'a changed backup was accepted')
    },
  }
}
