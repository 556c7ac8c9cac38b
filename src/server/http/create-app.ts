import express from 'express'
import type { Express, NextFunction, Request, Response } from 'express'
import { DomainError } from '../../shared/errors.ts'
import type { Route } from '../../shared/route.ts'
import type { Logger } from '../operations/logging.ts'
import { sendError } from './error-handler.ts'
import { createMethodFinder } from './paths.ts'
import { texts } from './http.texts.ts'

/** An Express application with exact routing: case and trailing slashes matter. */
export function createApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', 'simple')
  trustProxiesOf(app, [])
  return app
}

/** Sets the addresses of proxies whose `X-Forwarded-*` headers are trusted. */
export function trustProxiesOf(app: Express, addresses: readonly string[]): void {
  app.set('trust proxy', addresses.length === 0 ? false : [...addresses])
}

/** Answers what no route matches with 404 or 405. Call it after mounting the last contract. */
export function endApp(app: Express, routes: readonly Route[], log: Logger): void {
  const methodsOf = createMethodFinder(routes)
  app.use((req: Request, res: Response) => {
    const methods = methodsOf(req.path)
    if (methods.length === 0) {
      sendError(req, res, new DomainError('NOT_FOUND', texts.request.nothingAt(req.path)), log)
      return
    }
    const allowed = methods.join(', ')
    const error = new DomainError('METHOD_NOT_ALLOWED', texts.request.method(req.method, req.path, allowed))
    sendError(req, res, error, log, { Allow: allowed })
  })
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    sendError(req, res, error, log)
  })
}
