import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOciPath } from '../../shared/contracts/oci.ts'
import { DomainError } from '../../shared/errors.ts'
import { sendError } from './error-handler.ts'
import type { ErrorContext } from './error-handler.ts'
import { noteRoute } from '../operations/route-counts.ts'
import { splitTarget } from './router.ts'
import type { Endpoint, Router } from './router.ts'
import { texts } from './http.texts.ts'

/** Answers every request by its endpoint, or with 404 or 405. */
export function createApp(router: Router<Endpoint>, context: ErrorContext) {
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const { method = '' } = req
    const { path, query } = splitTarget(req.url ?? '')
    const match = router.find(method, path)
    if (match !== null) {
      noteRoute(res, match.endpoint)
      match.endpoint.answer(req, res, { path, query, params: match.readParameters() })
      return
    }
    const isRead = method === 'GET' || method === 'HEAD'
    // Where OCI clients write, nothing is mounted: they are told that this registry is read-only.
    const methods = router.methodsOf(isOciPath(path) && !isRead ? '/v2/' : path)
    if (methods.length === 0) throw new DomainError('NOT_FOUND', texts.request.nothingAt(path))
    const allowed = methods.join(', ')
    const error = new DomainError('METHOD_NOT_ALLOWED', texts.request.method(method, path, allowed))
    sendError(req, res, error, context, { Allow: allowed })
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    try {
      serve(req, res)
    } catch (error) {
      sendError(req, res, error, context)
    }
  }
}
