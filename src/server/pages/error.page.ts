import type { DomainError } from '../../shared/errors.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import type { Site } from './site.ts'

/** What a person can do next, by status. */
const titles: Record<number, string> = {
  400: 'This address is not complete',
  403: 'This is not for you',
  404: 'There is nothing here',
  405: 'This is not possible here',
  429: 'Too much at once',
  503: 'Not available at the moment',
}

/** Anything that was refused to a browser: the same status, sentence and next step as programs get. */
export function errorPage(site: Site, error: DomainError, status: number): Buffer {
  const title = titles[status] ?? (status < 500 ? 'This was not accepted' : 'Something went wrong here')
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
        ${wait !== undefined && html`<p>Try again in ${wait === 1 ? '1 second' : `${wait} seconds`}.</p>`}
        <p class="more text">
          <a href="${site.base}/skills">Look in the catalog</a>, or go to the
          <a href="${site.base}/">front page</a>.
        </p>
      </div>
    </main>`,
  )
}
