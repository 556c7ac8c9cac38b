import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { MultipartBody } from '../../shared/route.ts'
import { partOf, readParts } from './multipart-reader.ts'
import type { PartRules, PartSink } from './multipart-reader.ts'

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
  const { texts, files } = await readParts(req, res, rulesOf(body), sink, paceWindowMs)
  const [file] = files.values()
  if (file === undefined) throw new Error('a multipart contract needs a file part')
  return { texts, file }
}

const invalidBody = (message: string, path?: string): DomainError =>
  new DomainError('INVALID_MULTIPART', message, path === undefined ? {} : { issues: [{ path, message }] })

const asText = (name: string): string => `send it as text, with curl: -F '${name}=<FILE'`
const asFile = (name: string): string => `send it as a file, with curl: -F ${name}=@FILE`

function rulesOf({ parts }: MultipartBody): PartRules {
  const names = Object.keys(parts)
  const kindOf = (name: string): 'text' | 'file' | undefined => partOf(parts, name)?.kind
  const unknown = (name: string): DomainError => invalidBody(`Unknown part ${name}. Remove it.`, name)
  const tooLarge = (name: string): DomainError => {
    const { maxBytes = 0, tooLargeCode = 'BODY_TOO_LARGE' } = partOf(parts, name) ?? {}
    return new DomainError(tooLargeCode, `The part ${name} is larger than ${maxBytes} bytes.`, {
      issues: [{ path: name, message: `is larger than ${maxBytes} bytes` }],
    })
  }
  return {
    parts,
    patience: 1,
    spareParts: 1,
    reportsRefusedFiles: false,
    refusals: {
      tooLarge,
      notMultipart: () => invalidBody('Send the parts as multipart/form-data, with curl: -F PART=...'),
      bodyTooLarge: () => tooLarge(names.find((name) => kindOf(name) === 'file') ?? ''),
      tooManyParts: () =>
        invalidBody(`The body has too many parts. Send only ${names.join(' and ')}, each once.`),
      unexpectedText: (name) =>
        kindOf(name) === 'file'
          ? invalidBody(`The part ${name} was sent as text; ${asFile(name)}`, name)
          : unknown(name),
      unexpectedFile: (name) =>
        kindOf(name) === 'text'
          ? invalidBody(`The part ${name} was sent as a file; ${asText(name)}`, name)
          : unknown(name),
      repeatedText: (name) => invalidBody(`The part ${name} was sent twice. Send it once.`, name),
      missing: (name) =>
        invalidBody(
          `The part ${name} is missing; ${kindOf(name) === 'file' ? asFile(name) : asText(name)}`,
          name,
        ),
    },
  }
}
