import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { FormBody } from '../../shared/route.ts'
import { partOf, readParts } from './multipart-reader.ts'
import type { PartRules, PartSink, ReadParts } from './multipart-reader.ts'

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
  const texts = Object.entries(form.texts).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')])
  return { ...form, texts: Object.fromEntries(texts) as Record<string, string> }
}

function rulesOf({ parts }: FormBody): PartRules {
  const invalid = (message: string, path: string): DomainError =>
    new DomainError('INVALID_MULTIPART', message, { issues: [{ path, message }] })
  const wrongFields = (name = ''): DomainError =>
    invalid('The form does not match the page. Reload the page and submit it again.', name)
  return {
    parts,
    patience: 4,
    spareParts: 0,
    reportsRefusedFiles: true,
    refusals: {
      notMultipart: () => new DomainError('INVALID_MULTIPART', 'Send the form as multipart/form-data.'),
      bodyTooLarge: (maxBytes) =>
        new DomainError(
          'BODY_TOO_LARGE',
          `The form is larger than ${maxBytes} bytes in total. Shorten it, or choose smaller files.`,
        ),
      tooManyParts: wrongFields,
      unexpectedText: (name) => invalid(`Unknown field ${name}. Remove it.`, name),
      unexpectedFile: wrongFields,
      repeatedText: (name) => invalid(`The field ${name} was sent twice. Send it once.`, name),
      missing: wrongFields,
      tooLarge(name) {
        const message = `is larger than ${partOf(parts, name)?.maxBytes ?? 0} bytes`
        return new DomainError('BODY_TOO_LARGE', `The field ${name} ${message}. Shorten it.`, {
          issues: [{ path: name, message }],
        })
      },
    },
  }
}
