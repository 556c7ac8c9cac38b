import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { MultipartBody } from '../../shared/route.ts'
import { partOf, readParts } from './multipart-reader.ts'
import type { PartRules, PartSink } from './multipart-reader.ts'
import { texts } from './http.texts.ts'

export interface ReceivedParts<T> {
  texts: Record<string, string>
  file: T
}

/** Reads a multipart/form-data body of one file part and any text parts, each exactly once; see `readParts`. */
export async function receiveMultipart<T>(
  req: IncomingMessage,
  res: ServerResponse,
  body: MultipartBody,
  sink: PartSink<T>,
  paceWindowMs: number,
): Promise<ReceivedParts<T>> {
  const received = await readParts(req, res, rulesOf(body), sink, paceWindowMs)
  const [file] = received.files.values()
  if (file === undefined) throw new Error('a multipart contract needs a file part')
  return { texts: received.texts, file }
}

const invalidBody = (message: string, path?: string): DomainError =>
  new DomainError('INVALID_MULTIPART', message, path === undefined ? {} : { issues: [{ path, message }] })

function rulesOf({ parts }: MultipartBody): PartRules {
  const names = Object.keys(parts)
  const kindOf = (name: string): 'text' | 'file' | undefined => partOf(parts, name)?.kind
  const unknown = (name: string): DomainError => invalidBody(texts.parts.unknown(name), name)
  const tooLarge = (name: string): DomainError => {
    const { maxBytes = 0, tooLargeCode = 'BODY_TOO_LARGE' } = partOf(parts, name) ?? {}
    return new DomainError(tooLargeCode, texts.parts.tooLarge(name, maxBytes), {
      issues: [{ path: name, message: texts.parts.size(maxBytes) }],
    })
  }
  return {
    parts,
    patience: 1,
    spareParts: 1,
    reportsRefusedFiles: false,
    refusals: {
      tooLarge,
      notMultipart: () => invalidBody(texts.parts.notMultipart),
      bodyTooLarge: () => tooLarge(names.find((name) => kindOf(name) === 'file') ?? ''),
      tooManyParts: () => invalidBody(texts.parts.tooMany(names)),
      unexpectedText: (name) =>
        kindOf(name) === 'file' ? invalidBody(texts.parts.notFile(name), name) : unknown(name),
      unexpectedFile: (name) =>
        kindOf(name) === 'text' ? invalidBody(texts.parts.notText(name), name) : unknown(name),
      repeatedText: (name) => invalidBody(texts.parts.repeated(name), name),
      missing: (name) =>
        invalidBody(
          (kindOf(name) === 'file' ? texts.parts.missingFile : texts.parts.missingText)(name),
          name,
        ),
    },
  }
}
