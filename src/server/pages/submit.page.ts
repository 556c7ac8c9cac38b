import { projectLinks, projectPictures } from '../../shared/contracts/pages.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { formOf, some } from './form-fields.ts'
import type { Form, FormState } from './form-fields.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { picture } from './pictures.ts'
import type { FindImage } from './pictures.ts'
import { siteName } from './site.ts'
import type { Site } from './site.ts'

const path = '/showcase/submit'

export interface SubmitPageParts extends FormState {
  findImage: FindImage
}

/** `/showcase/submit`: the form, empty or with what was typed and what is wrong with it. */
export function submitPage(site: Site, parts: SubmitPageParts): Buffer {
  const form = formOf(parts)
  return page(
    site,
    parts.issues.length === 0 ? 'Submit a project' : 'Not sent yet: submit a project',
    html`<h1>Submit a project</h1>
      <p class="lead">
        Have you made something with a skill? Show it here. Somebody reads each submission before it is
        public.
      </p>
      <form class="sheet" method="post" action="${site.base}${path}" enctype="multipart/form-data">
        ${summary(parts.issues)}
        ${form.line('title', 'Title', 'What it is called, up to 160 characters.', 160)}
        ${form.line('tagline', 'In one sentence', 'Stands beside the title in the list, up to 200 characters.', 200)}
        ${form.line('author', 'Your name', 'Is shown with the project, up to 100 characters.', 100)}
        ${form.area('description', 'Description', 'What it does and which skills it uses: Markdown, 20 to 20,000 characters.')}
        ${pictures(site, form, parts.findImage)} ${links(form)}
        <div class="trap" aria-hidden="true">
          <label for="website">Leave this empty</label
          ><input id="website" name="website" tabindex="-1" autocomplete="off" />
        </div>
        <p><button class="button" type="submit">Send for approval</button></p>
      </form>`,
  )
}

/** The same address after the form was sent. */
export function sentPage(site: Site): Buffer {
  return page(
    site,
    'Your project was received',
    html`<h1>Your project was received</h1>
      <p class="lead">Somebody will read it. It appears in the showcase once it is approved.</p>
      <p class="more text">
        <a href="${site.base}/showcase">See the showcase</a>, or
        <a href="${site.base}${path}">submit another project</a>.
      </p>`,
  )
}

function page(site: Site, title: string, content: Html): Buffer {
  return renderPage(
    site,
    {
      title,
      description: `Show what you have made with skills of ${siteName}.`,
      path,
      section: 'showcase',
    },
    html`<main id="main" class="wrap" tabindex="-1">
      <div class="article">
        <nav class="crumbs" aria-label="Where this is"><a href="${site.base}/showcase">Showcase</a></nav>
        ${content}
      </div>
    </main>`,
  )
}

function summary(issues: readonly ErrorIssue[]): Html | null {
  if (issues.length === 0) return null
  return html`<div class="errors" role="alert">
    <p>This was not sent. Correct it and send it again:</p>
    <ul>
      ${issues.map(
        (issue) =>
          html`<li>
            ${issue.path === '' ? issue.message : html`<a href="#${issue.path}">${issue.message}</a>`}
          </li>`,
      )}
    </ul>
  </div>`
}

function pictures(site: Site, form: Form, find: FindImage): Html {
  const isFilled = (n: number): boolean =>
    [`kept${n}`, `alt${n}`].some((name) => form.value(name) !== '') || form.issueOf(`picture${n}`) !== null
  const field = (n: number): Html => {
    const [file, alt, keptName] = [`picture${n}`, `alt${n}`, `kept${n}`]
    const kept = form.value(keptName)
    const shown =
      kept === '' ? null : picture(site, find, { sha256: kept, alt: form.value(alt) }, { sizes: '72px' })
    return html`<div class="field">
      ${
        shown === null
          ? null
          : html`<div class="kept">
                ${shown}<span>Picture ${n} is kept. Choose a file to send another one instead.</span>
              </div>
              <input type="hidden" name="${keptName}" value="${kept}" />`
      }
      <div class="two">
        <div>
          <label for="${file}">Picture ${n}</label
          ><input
            id="${file}"
            name="${file}"
            type="file"
            accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
            ${form.state(file, false)}
          />
        </div>
        <div>
          <label for="${alt}">What it shows</label
          ><input
            id="${alt}"
            name="${alt}"
            value="${form.value(alt)}"
            maxlength="300"
            autocomplete="off"
            ${form.state(alt, false)}
          />
        </div>
      </div>
      ${form.issueOf(file)}${form.issueOf(alt)}
    </div>`
  }
  return html`<fieldset>
    <legend>Pictures, optional</legend>
    <p class="hint">
      JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB each. Say in words what each one shows, for those who do
      not see it. Where a picture tells where it was taken, the public copy does not.
    </p>
    ${some(projectPictures, 2, 'More pictures', isFilled, field)}
  </fieldset>`
}

function links(form: Form): Html {
  const isFilled = (n: number): boolean =>
    [`label${n}`, `url${n}`].some((name) => form.value(name) !== '' || form.issueOf(name) !== null)
  const field = (n: number): Html => {
    const [label, url] = [`label${n}`, `url${n}`]
    return html`<div class="field">
      <div class="two">
        <div>
          <label for="${label}">Link ${n} says</label
          ><input
            id="${label}"
            name="${label}"
            value="${form.value(label)}"
            maxlength="60"
            autocomplete="off"
            ${form.state(label, false)}
          />
        </div>
        <div>
          <label for="${url}">and leads to</label
          ><input
            id="${url}"
            name="${url}"
            type="url"
            value="${form.value(url)}"
            maxlength="500"
            placeholder="https://"
            autocomplete="off"
            ${form.state(url, false)}
          />
        </div>
      </div>
      ${form.issueOf(label)}${form.issueOf(url)}
    </div>`
  }
  return html`<fieldset>
    <legend>Links, optional</legend>
    ${some(projectLinks, 1, 'More links', isFilled, field)}
  </fieldset>`
}
