import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { FormBody } from '../../shared/route.ts'
import { partOf, readParts } from './multipart-reader.ts'
import type { PartRules, PartSink, ReadParts } from './multipart-reader.ts'

/**
 * Reads what a form in a page sends, each field at most once; see `readParts`. A refused file does not refuse the
 * form: the rest of it is read, so that what was typed can be shown again.
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
  const otherFields = (name = ''): DomainError =>
    invalid('The form has other fields than the page; load the page again and send it once more.', name)
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
          `What was sent is larger than ${maxBytes} bytes together. Send less.`,
        ),
      tooManyParts: otherFields,
      unexpectedText: (name) => invalid(`There is no field ${name}; leave it out.`, name),
      unexpectedFile: otherFields,
      repeatedText: (name) => invalid(`The field ${name} came twice; send it once.`, name),
      missing: otherFields,
      tooLarge(name) {
        const message = `is larger than ${partOf(parts, name)?.maxBytes ?? 0} bytes`
        return new DomainError('BODY_TOO_LARGE', `The field ${name} ${message}. Send less.`, {
          issues: [{ path: name, message }],
        })
      },
    },
  }
}
