import type { DomainError } from '../../shared/errors.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import type { Site } from './site.ts'

/** An error as a page for browsers, with the same status and message that other clients get. */
export function errorPage(site: Site, error: DomainError, status: number): Buffer {
  const title = texts.error.titles[status] ?? (status < 500 ? texts.error.refused : texts.error.failed)
  const wait = error.retryAfter
  return renderPage(
    site,
    { title, description: error.message, path: null, section: null },
    html`<main id="main" class="wrap" tabindex="-1">
      <div class="empty">
        <p class="small quiet">${status}</p>
        <h1>${title}</h1>
        <p class="lead">${error.message}</p>
        ${
          error.issues !== undefined &&
          html`<ul>
            ${error.issues.map(({ path, message }) => html`<li>${path} ${message}</li>`)}
          </ul>`
        }
        ${wait !== undefined && html`<p>${texts.error.retry(wait)}</p>`}
        <p class="more text">${texts.error.links(`${site.base}/skills`, `${site.base}/`)}</p>
      </div>
    </main>`,
  )
}
