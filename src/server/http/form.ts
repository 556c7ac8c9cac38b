import { Transform, finished } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import multer from 'multer'
import { DomainError } from '../../shared/errors.ts'
import type { FormBody } from '../../shared/route.ts'
import { toDomainError } from './error-handler.ts'
import { asMultipartRefusal, framingBytes, isMultipart, partOf, runParser } from './multipart.ts'
import { assertStillSending } from './read-body.ts'

export interface FormSink<T> {
  /** Takes the bytes of one file, while no other comes; rejects when the stream breaks off. */
  receive(part: string, stream: Readable): Promise<T>
  /** Gets rid of a file when the rest of the body is refused. */
  discard(file: T): Promise<void>
}

export interface ReceivedForm<T> {
  /** Parts that were not sent are not there. */
  texts: Record<string, string>
  /** By their parts; those that were left empty are not there. */
  files: Map<string, T>
  /** Why a file was not taken, by its part: the rest of the form was read all the same. */
  refused: Map<string, DomainError>
}

/** A body may be so many times too large until nothing of it is read: what was typed is to be given back. */
const patience = 4

/**
 * Reads what a form in a page sends, streaming each file to `sink`. A file field that was left empty comes as a file
 * without a name, which the parser leaves out. Whatever it throws, `sink` has discarded what it had received.
 */
export async function receiveForm<T>(
  req: Request,
  res: Response,
  body: FormBody,
  sink: FormSink<T>,
  paceWindowMs: number,
): Promise<ReceivedForm<T>> {
  if (!isMultipart(req.headers['content-type'])) {
    throw new DomainError('INVALID_MULTIPART', 'Send the form as multipart/form-data.')
  }
  const parts = Object.entries(body.parts)
  const fileNames = parts.filter(([, part]) => part.kind === 'file').map(([name]) => name)
  const texts = parts.filter(([, part]) => part.kind === 'text')
  const maxBytes = patience * parts.reduce((sum, [, part]) => sum + part.maxBytes, framingBytes)
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  assertStillSending(req)

  const files = new Map<string, Promise<T>>()
  const refused = new Map<string, DomainError>()
  const parse = multer({
    storage: {
      _handleFile(_req, { fieldname, stream }, done) {
        const part = limited(fieldname, stream, partOf(body, fieldname)?.maxBytes ?? 0)
        const received = sink.receive(fieldname, part)
        files.set(fieldname, received)
        received.then(
          () => done(null, {}),
          (error: unknown) => {
            const refusal = toDomainError(error)
            if (refusal.code === 'INTERNAL') return done(error)
            refused.set(fieldname, refusal)
            files.delete(fieldname)
            // The fields behind it come only when all of it was read.
            stream.unpipe(part)
            stream.resume()
            return done(null, {})
          },
        )
      },
      _removeFile: (_req, _file, done) => done(null),
    },
    limits: {
      files: fileNames.length,
      fields: texts.length,
      parts: parts.length,
      fieldSize: Math.max(0, ...texts.map(([, part]) => part.maxBytes)),
      fieldNameSize: 100,
      headerPairs: 50,
    },
  }).fields(fileNames.map((name) => ({ name, maxCount: 1 })))

  try {
    await runParser(req, res, paceWindowMs, maxBytes, parse, () => tooLarge(maxBytes))
    return { texts: readTexts(body, req.body), files: await settled(files), refused }
  } catch (error) {
    const received = await Promise.allSettled(files.values())
    const arrived = received.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await Promise.all(arrived.map((file) => sink.discard(file)))
    throw asFormRefusal(error, body)
  }
}

/** The bytes of a part, or an error where there are too many; the part itself goes on. */
function limited(name: string, stream: Readable, maxBytes: number): Transform {
  let size = 0
  const part = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(fieldTooLarge(name, maxBytes))
      else done(null, chunk)
    },
  })
  // Whoever refuses a file before its first byte does not listen.
  part.on('error', () => undefined)
  finished(stream, { writable: false }, (error) => {
    if (error) part.destroy(error)
  })
  return stream.pipe(part)
}

async function settled<T>(files: ReadonlyMap<string, Promise<T>>): Promise<Map<string, T>> {
  return new Map(await Promise.all([...files].map(async ([name, file]) => [name, await file] as const)))
}

function readTexts(body: FormBody, fields: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
    const part = partOf(body, name)
    if (part?.kind !== 'text') throw refused(`There is no field ${name.slice(0, 100)}; leave it out.`, name)
    if (typeof value !== 'string') throw refused(`The field ${name} came twice; send it once.`, name)
    if (Buffer.byteLength(value) > part.maxBytes) throw fieldTooLarge(name, part.maxBytes)
    // Browsers end lines with CR LF in a form.
    texts[name] = value.replaceAll('\r\n', '\n')
  }
  return texts
}

function asFormRefusal(error: unknown, body: FormBody): unknown {
  if (!(error instanceof multer.MulterError)) return asMultipartRefusal(error)
  const name = error.field ?? ''
  if (error.code === 'LIMIT_FIELD_VALUE') {
    return fieldTooLarge(name, partOf(body, name)?.maxBytes ?? 0)
  }
  return refused(
    'The form has other fields than the page; load the page again and send it once more.',
    name,
    error,
  )
}

const refused = (message: string, path: string, cause?: unknown): DomainError =>
  new DomainError('INVALID_MULTIPART', message, { cause, issues: [{ path, message }] })

const tooLarge = (limit: number): DomainError =>
  new DomainError('BODY_TOO_LARGE', `What was sent is larger than ${limit} bytes together. Send less.`)

function fieldTooLarge(name: string, limit: number): DomainError {
  const message = `is larger than ${limit} bytes`
  return new DomainError('BODY_TOO_LARGE', `The field ${name} ${message}. Send less.`, {
    issues: [{ path: name, message }],
  })
}
