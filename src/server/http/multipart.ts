import type { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import multer from 'multer'
import type { ErrorCode } from '../../shared/errors.ts'
import { DomainError } from '../../shared/errors.ts'
import type { FormBody, MultipartBody, MultipartPart } from '../../shared/route.ts'
import { allowBody, assertStillSending, incompleteBody, slowBody, watchBody } from './read-body.ts'

/** Room for boundaries and part headers beside the parts themselves, in bytes. */
export const framingBytes = 16_384

export interface MultipartSink<T> {
  /** Takes the bytes of the file part; rejects when the stream breaks off. */
  receive(stream: Readable): Promise<T>
  /** Gets rid of what was received when the rest of the body is refused. */
  discard(file: T): Promise<void>
  /** Which refusal a part over its limit is. */
  tooLarge: Record<string, ErrorCode>
}

export interface ReceivedParts<T> {
  texts: Record<string, string>
  file: T
}

const invalidBody = (message: string, path?: string, cause?: unknown): DomainError =>
  new DomainError('INVALID_MULTIPART', message, {
    cause,
    ...(path === undefined ? {} : { issues: [{ path, message }] }),
  })

/**
 * Reads a multipart/form-data body of one file part and any text parts, in any order, streaming the file to
 * `sink`. Each part must come exactly once. Whatever it throws, `sink` has discarded what it had received.
 */
export async function receiveMultipart<T>(
  req: Request,
  res: Response,
  body: MultipartBody,
  sink: MultipartSink<T>,
  paceWindowMs: number,
): Promise<ReceivedParts<T>> {
  if (!isMultipart(req.headers['content-type'])) {
    throw invalidBody('Send the parts as multipart/form-data, with curl: -F PART=...')
  }
  const plan = planParts(body)
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > plan.maxBytes) throw tooLarge(plan.fileName, body, sink.tooLarge)
  assertStillSending(req)

  const received: { file?: Promise<T> } = {}
  const parse = multer({
    storage: {
      _handleFile(_req, file, done) {
        received.file = sink.receive(file.stream)
        received.file.then(
          () => done(null, {}),
          (error: unknown) => done(error),
        )
      },
      _removeFile(_req, _file, done) {
        done(null)
      },
    },
    limits: {
      fileSize: plan.fileBytes,
      files: 1,
      // One more than there are, so that a foreign or repeated part can be named.
      fields: plan.texts.length + 1,
      parts: plan.texts.length + 2,
      fieldSize: plan.textBytes,
      fieldNameSize: 100,
      headerPairs: 50,
    },
  }).single(plan.fileName)

  try {
    await runParser(req, res, paceWindowMs, plan.maxBytes, parse, () =>
      tooLarge(plan.fileName, body, sink.tooLarge),
    )
    const texts = readTexts(plan, req.body)
    const file = await received.file
    if (file === undefined)
      throw missing(plan.fileName, `send it as a file, with curl: -F ${plan.fileName}=@FILE`)
    return { texts, file }
  } catch (error) {
    const file = await received.file?.catch(() => undefined)
    if (file !== undefined) await sink.discard(file)
    throw asRefusal(error, plan.fileName, body, sink.tooLarge)
  }
}

export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*;.*boundary="?[^\s";]/i.test(contentType ?? '')
}

/** Runs multer, and ends it when the body stops or goes on for longer than its parts may be. */
export function runParser(
  req: Request,
  res: Response,
  paceWindowMs: number,
  maxBytes: number,
  parse: (req: Request, res: Response, next: (error?: unknown) => void) => void,
  overLimit: () => DomainError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0
    const settle = (error: unknown): void => {
      stopWatching()
      req.off('data', count)
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The parser gave up', { cause: error }))
    }
    const giveUp = (error: DomainError): void => {
      // Ends the parser's file stream with an error; what is still sent is read and thrown away.
      req.unpipe()
      req.emit('aborted')
      req.resume()
      settle(error)
    }
    const count = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) giveUp(overLimit())
    }
    const stopWatching = watchBody(req, paceWindowMs, () => giveUp(slowBody()))
    parse(req, res, settle)
    req.on('data', count)
    allowBody(req, res)
  })
}

/** Undefined where the contract has no such part, also where every object has something of that name. */
export function partOf({ parts }: MultipartBody | FormBody, name: string): MultipartPart | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined
}

interface Plan {
  fileName: string
  fileBytes: number
  texts: string[]
  textBytes: number
  maxBytes: number
}

function planParts(body: MultipartBody): Plan {
  const parts = Object.entries(body.parts)
  const file = parts.find(([, part]) => part.kind === 'file')
  if (file === undefined) throw new Error('A multipart contract needs a file part')
  const texts = parts.filter(([, part]) => part.kind === 'text')
  return {
    fileName: file[0],
    fileBytes: file[1].maxBytes,
    texts: texts.map(([name]) => name),
    textBytes: Math.max(0, ...texts.map(([, part]) => part.maxBytes)),
    maxBytes: parts.reduce((sum, [, part]) => sum + part.maxBytes, framingBytes),
  }
}

function readTexts(plan: Plan, body: unknown): Record<string, string> {
  const fields = (body ?? {}) as Record<string, unknown>
  const texts: Record<string, string> = {}
  for (const name of Object.keys(fields)) {
    if (plan.texts.includes(name)) continue
    if (name === plan.fileName) throw sentAsText(name)
    throw invalidBody(`There is no part ${name}; leave it out.`, name)
  }
  for (const name of plan.texts) {
    const value = fields[name]
    if (value === undefined) throw missing(name, `send it as text, with curl: -F '${name}=<FILE'`)
    if (typeof value !== 'string') throw repeated(name)
    texts[name] = value
  }
  return texts
}

const missing = (name: string, how: string): DomainError =>
  invalidBody(`The part ${name} is missing; ${how}`, name)

const sentAsText = (name: string): DomainError =>
  invalidBody(`The part ${name} came as text; send it as a file, with curl: -F ${name}=@FILE`, name)

const repeated = (name: string): DomainError =>
  invalidBody(`The part ${name} came twice; send it once.`, name)

function tooLarge(name: string, body: MultipartBody, codes: Record<string, ErrorCode>): DomainError {
  const limit = partOf(body, name)?.maxBytes ?? 0
  return new DomainError(codes[name] ?? 'BODY_TOO_LARGE', `The part ${name} is larger than ${limit} bytes.`, {
    issues: [{ path: name, message: `is larger than ${limit} bytes` }],
  })
}

/** What the parser throws of itself, as a refusal. */
export function asMultipartRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error
  if (/unexpected end of|request (aborted|closed)/i.test(error.message)) return incompleteBody(error)
  return /multipart|boundary|malformed|part header/i.test(error.message)
    ? invalidBody('The multipart body is malformed. Send it again.', undefined, error)
    : error
}

function asRefusal(
  error: unknown,
  fileName: string,
  body: MultipartBody,
  codes: Record<string, ErrorCode>,
): unknown {
  if (!(error instanceof multer.MulterError)) return asMultipartRefusal(error)
  const field = error.field ?? ''
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge(fileName, body, codes)
    case 'LIMIT_FIELD_VALUE':
      if (field === fileName) return sentAsText(field)
      return partOf(body, field) === undefined
        ? invalidBody(`There is no part ${field}; leave it out.`, field, error)
        : tooLarge(field, body, codes)
    case 'LIMIT_UNEXPECTED_FILE':
      if (field === fileName) return repeated(fileName)
      return partOf(body, field)?.kind === 'text'
        ? invalidBody(
            `The part ${field} came as a file; send it as text, with curl: -F '${field}=<FILE'`,
            field,
            error,
          )
        : invalidBody(`There is no part ${field}; leave it out.`, field, error)
    default: {
      const names = Object.keys(body.parts).join(' and ')
      return invalidBody(
        `The body has more parts than ${names}; send each once and no other.`,
        undefined,
        error,
      )
    }
  }
}
