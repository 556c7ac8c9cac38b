import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { FormBody } from '../../shared/route.ts'
import { partOf, readParts } from './multipart-reader.ts'
import type { PartRules, PartSink, ReadParts } from './multipart-reader.ts'
import { texts } from './http.texts.ts'

/**
 * Reads a submitted form, each field at most once; see `readParts`. If a file is refused, the rest of the form is
 * still read, so that the page can show the entered values again.
 */
export async function receiveForm<T>(
  req: IncomingMessage,
  res: ServerResponse,
  body: FormBody,
  sink: PartSink<T>,
  paceWindowMs: number,
): Promise<ReadParts<T>> {
  const form = await readParts(req, res, rulesOf(body), sink, paceWindowMs)
  // Browsers end lines with CR LF in a form.
  const values = Object.entries(form.texts).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')])
  return { ...form, texts: Object.fromEntries(values) as Record<string, string> }
}

function rulesOf({ parts }: FormBody): PartRules {
  const invalid = (message: string, path: string): DomainError =>
    new DomainError('INVALID_MULTIPART', message, { issues: [{ path, message }] })
  const wrongFields = (name = ''): DomainError => invalid(texts.form.otherFields, name)
  return {
    parts,
    patience: 4,
    spareParts: 0,
    reportsRefusedFiles: true,
    refusals: {
      notMultipart: () => new DomainError('INVALID_MULTIPART', texts.form.notMultipart),
      bodyTooLarge: (maxBytes) => new DomainError('BODY_TOO_LARGE', texts.form.tooLarge(maxBytes)),
      tooManyParts: wrongFields,
      unexpectedText: (name) => invalid(texts.form.unknown(name), name),
      unexpectedFile: wrongFields,
      repeatedText: (name) => invalid(texts.form.repeated(name), name),
      missing: wrongFields,
      tooLarge(name) {
        const maxBytes = partOf(parts, name)?.maxBytes ?? 0
        return new DomainError('BODY_TOO_LARGE', texts.form.fieldTooLarge(name, maxBytes), {
          issues: [{ path: name, message: texts.parts.size(maxBytes) }],
        })
      },
    },
  }
}
