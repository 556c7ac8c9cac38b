import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform, addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { BusboyInstance } from '@fastify/busboy'
import type { DomainError } from '../../shared/errors.ts'
import type { MultipartPart } from '../../shared/route.ts'
import { toDomainError } from './error-handler.ts'
import { allowBody, assertStillSending, incompleteBody, slowBody, watchBody } from './read-body.ts'

/** Bytes allowed for boundaries and part headers, in addition to the parts themselves. */
const framingBytes = 16_384
const maxNameLength = 100

export interface PartSink<T> {
  /** Receives the bytes of one file part; rejects if the stream ends early. */
  receive(stream: Readable, part: string): Promise<T>
  /** Removes a received file after the rest of the body was refused. */
  discard(file: T): Promise<void>
}

type Parts = Readonly<Record<string, MultipartPart>>

export interface PartRules {
  parts: Parts
  /** Maximum size of the body that is read, as a multiple of the size of its parts. */
  patience: number
  /** How many unexpected parts are read, so that an error can name them. */
  spareParts: number
  /** Whether a refused file is reported and the other parts are still read; otherwise the whole body is refused. */
  reportsRefusedFiles: boolean
  refusals: PartRefusals
}

interface PartRefusals {
  notMultipart(): DomainError
  bodyTooLarge(maxBytes: number): DomainError
  tooManyParts(): DomainError
  /** No part has this name, or the part is a file. */
  unexpectedText(name: string): DomainError
  /** No part has this name, or the part is text, or the file was already sent. */
  unexpectedFile(name: string): DomainError
  repeatedText(name: string): DomainError
  missing(name: string): DomainError
  tooLarge(name: string): DomainError
}

export interface ReadParts<T> {
  /** By part; missing parts are absent. */
  texts: Record<string, string>
  /** By part; missing parts and those without a file name are absent. */
  files: Map<string, T>
  /** Why a file was refused, by part. */
  refused: Map<string, DomainError>
}

/** A text part as sent, before validation. */
interface SentText {
  name: string
  value: string
  truncated: boolean
}

/**
 * Reads a multipart/form-data body, with its parts in any order, and streams each file to `sink`. Each part may be sent
 * once. If it throws, `sink` has discarded all received files.
 */
export async function readParts<T>(
  req: IncomingMessage,
  res: ServerResponse,
  rules: PartRules,
  sink: PartSink<T>,
  paceWindowMs: number,
): Promise<ReadParts<T>> {
  const { parts, refusals } = rules
  const parser = createParser(req, rules)
  const partBytes = Object.values(parts).reduce((sum, { maxBytes }) => sum + maxBytes, framingBytes)
  const maxBytes = rules.patience * partBytes
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw refusals.bodyTooLarge(maxBytes)
  assertStillSending(req)

  const sent: SentText[] = []
  const files = new Map<string, Promise<T>>()
  const refused = new Map<string, DomainError>()
  /** Each settles once its file was received or refused. */
  const settled: Promise<unknown>[] = []
  const { done, refuse, signal } = feed(req, parser, paceWindowMs, maxBytes, refusals)

  const isNamed = (name: string | undefined): name is string => {
    if (name !== undefined && name.length <= maxNameLength) return true
    refuse(refusals.tooManyParts())
    return false
  }
  parser.on('field', (name, value, _nameTruncated, truncated) => {
    if (isNamed(name)) sent.push({ name, value, truncated })
  })
  parser.on('file', (name, stream, fileName) => {
    // The parser itself reports a body that ends early.
    stream.on('error', () => undefined)
    if (!isNamed(name) || signal.aborted) return
    // A browser sends an empty file field as a file without a name.
    if (fileName === undefined || fileName === '') {
      stream.resume()
      return
    }
    const part = partOf(parts, name)
    if (part?.kind !== 'file' || files.has(name) || refused.has(name)) {
      refuse(refusals.unexpectedFile(name))
      return
    }
    const bytes = atMost(part.maxBytes, () => refusals.tooLarge(name))
    const file = sink.receive(addAbortSignal(signal, stream.pipe(bytes)), name)
    files.set(name, file)
    const onRefused = (error: unknown): void => {
      const refusal = toDomainError(error)
      if (!rules.reportsRefusedFiles || refusal.code === 'INTERNAL') {
        refuse(error)
        return
      }
      refused.set(name, refusal)
      files.delete(name)
      stream.unpipe(bytes)
      stream.resume()
    }
    settled.push(file.catch(onRefused))
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.once(event, () => refuse(refusals.tooManyParts()))
  }

  try {
    allowBody(req, res)
    await done
    await Promise.all(settled)
    signal.throwIfAborted()
    const texts = checkTexts(rules, sent)
    const missing = Object.keys(parts).find(
      (name) => parts[name]?.optional !== true && !Object.hasOwn(texts, name) && !files.has(name),
    )
    if (missing !== undefined) throw refusals.missing(missing)
    const received = [...files].map(async ([name, file]) => [name, await file] as const)
    return { texts, files: new Map(await Promise.all(received)), refused }
  } catch (error) {
    const received = await Promise.allSettled(files.values())
    const arrived = received.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await Promise.all(arrived.map((file) => sink.discard(file)))
    throw error
  }
}

function createParser(req: IncomingMessage, { parts, spareParts, refusals }: PartRules): BusboyInstance {
  const contentType = req.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;.*boundary="?[^\s";]/i.test(contentType)) throw refusals.notMultipart()
  const texts = Object.values(parts).filter(({ kind }) => kind === 'text')
  const count = Object.keys(parts).length
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_name, type, fileName = '') => fileName !== '' || type === 'application/octet-stream',
      limits: {
        files: count - texts.length,
        fields: texts.length + spareParts,
        parts: count + spareParts,
        fieldSize: Math.max(0, ...texts.map(({ maxBytes }) => maxBytes)),
        headerPairs: 50,
        headerSize: framingBytes,
      },
    })
  } catch {
    throw refusals.notMultipart()
  }
}

interface Feed {
  /** Resolves when the parser has emitted every part. */
  done: Promise<void>
  /**
   * Rejects `done` with the first error once the rest of the body has been read, so that the client reads the answer.
   */
  refuse(error: unknown): void
  /** Aborted by the first error. */
  signal: AbortSignal
}

/** Pipes the body to the parser until it ends, stalls, or exceeds `maxBytes`. */
function feed(
  req: IncomingMessage,
  parser: BusboyInstance,
  paceWindowMs: number,
  maxBytes: number,
  refusals: PartRefusals,
): Feed {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  const refusal = new AbortController()
  const { signal } = refusal
  let size = 0

  const refuse = (error: unknown): void => {
    refusal.abort(error)
    req.unpipe(parser)
    req.resume()
    if (req.readableEnded) settle()
  }
  const breakOff = (error: unknown): void => {
    refuse(error)
    settle()
  }
  const settle = (): void => {
    stopWatching()
    req.off('data', count)
    if (signal.aborted) reject(signal.reason)
    else resolve()
  }
  const count = (chunk: Buffer): void => {
    size += chunk.length
    if (size > maxBytes) breakOff(refusals.bodyTooLarge(maxBytes))
  }
  const stopWatching = watchBody(req, paceWindowMs, () => breakOff(slowBody()))

  parser.once('finish', settle)
  parser.on('error', (error) => refuse(incompleteBody(error)))
  req.pipe(parser)
  req.on('data', count)
  req.once('end', () => {
    stopWatching()
    if (signal.aborted) settle()
  })
  req.once('error', (error) => breakOff(incompleteBody(error)))
  req.once('close', () => {
    if (!req.readableEnded) breakOff(incompleteBody())
  })
  return { done, refuse, signal }
}

/** Passes bytes through, and fails if there are more than `maxBytes`. */
function atMost(maxBytes: number, tooLarge: () => DomainError): Transform {
  let size = 0
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
  // A sink that refuses a file before its first byte has no error listener.
  return bytes.on('error', () => undefined)
}

function checkTexts({ parts, refusals }: PartRules, sent: readonly SentText[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { name, value, truncated } of sent) {
    const part = partOf(parts, name)
    if (part?.kind !== 'text') throw refusals.unexpectedText(name)
    if (truncated || Buffer.byteLength(value) > part.maxBytes) throw refusals.tooLarge(name)
    if (Object.hasOwn(texts, name)) throw refusals.repeatedText(name)
    texts[name] = value
  }
  return texts
}

/** Undefined if the contract has no such part, including for names such as `constructor`. */
export function partOf(parts: Parts, name: string): MultipartPart | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined
}
