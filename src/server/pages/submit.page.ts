import { maxProjectLinks, maxProjectImages } from '../../shared/contracts/pages.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { createForm, numberedFields } from './form-fields.ts'
import type { Form, FormState } from './form-fields.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import { imageElement } from './images.ts'
import type { FindImage } from './images.ts'
import type { Site } from './site.ts'

const path = '/showcase/submit'
const text = texts.submit

interface SubmitPageParts extends FormState {
  findImage: FindImage
}

/** `/showcase/submit`: the form, empty or with the entered values and their errors. */
export function submitPage(site: Site, parts: SubmitPageParts): Buffer {
  const form = createForm(parts)
  const { title, tagline, author, description } = text.fields
  return page(
    site,
    parts.issues.length === 0 ? text.title : text.titleWithErrors,
    html`<h1>${text.title}</h1>
      <p class="lead">${text.lead}</p>
      <form class="sheet" method="post" action="${site.base}${path}" enctype="multipart/form-data">
        ${summary(parts.issues)} ${form.line('title', title.label, title.hint, 160)}
        ${form.line('tagline', tagline.label, tagline.hint, 200)}
        ${form.line('author', author.label, author.hint, 100)}
        ${form.area('description', description.label, description.hint)}
        ${imageFields(site, form, parts.findImage)} ${linkFields(form)}
        <div class="trap" aria-hidden="true">
          <label for="website">${text.trap}</label
          ><input id="website" name="website" tabindex="-1" autocomplete="off" />
        </div>
        <p><button class="button" type="submit">${text.send}</button></p>
      </form>`,
  )
}

/** Shown at the same path after a project was submitted. */
export function sentPage(site: Site): Buffer {
  const { received } = text
  return page(
    site,
    received.title,
    html`<h1>${received.title}</h1>
      <p class="lead">${received.lead}</p>
      <p class="more text">
        <a href="${site.base}/showcase">${received.showcase}</a>, or
        <a href="${site.base}${path}">${received.again}</a>.
      </p>`,
  )
}

function page(site: Site, title: string, content: Html): Buffer {
  return renderPage(
    site,
    {
      title,
      description: text.description,
      path,
      section: 'showcase',
    },
    html`<main id="main" class="wrap" tabindex="-1">
      <div class="article">
        <nav class="crumbs" aria-label="${texts.layout.breadcrumb}">
          <a href="${site.base}/showcase">${texts.showcase.title}</a>
        </nav>
        ${content}
      </div>
    </main>`,
  )
}

function summary(issues: readonly ErrorIssue[]): Html | null {
  if (issues.length === 0) return null
  return html`<div class="errors" role="alert">
    <p>${text.errors.summary}</p>
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

const acceptedImages = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

/** The attributes of an input for text. */
const typed = (form: Form, name: string, max: number): Html =>
  html`value="${form.value(name)}" maxlength="${max}" autocomplete="off"`

/** One of two inputs next to each other, whose errors are below both. */
const input = (form: Form, name: string, label: string, attributes: Html): Html =>
  html`<div>
    <label for="${name}">${label}</label
    ><input id="${name}" name="${name}" ${attributes} ${form.state(name, false)} />
  </div>`

function imageFields(site: Site, form: Form, find: FindImage): Html {
  const isFilled = (n: number): boolean =>
    [`kept${n}`, `alt${n}`].some((name) => form.value(name) !== '') || form.issueOf(`picture${n}`) !== null
  const field = (n: number): Html => {
    const [file, alt, keptName] = [`picture${n}`, `alt${n}`, `kept${n}`]
    const kept = form.value(keptName)
    const shown =
      kept === '' ? null : imageElement(site, find, { sha256: kept, alt: form.value(alt) }, { sizes: '72px' })
    return html`<div class="field">
      ${
        shown === null
          ? null
          : html`<div class="kept">${shown}<span>${text.images.kept(n)}</span></div>
              <input type="hidden" name="${keptName}" value="${kept}" />`
      }
      <div class="two">
        ${input(form, file, text.images.file(n), html`type="file" accept="${acceptedImages}"`)}
        ${input(form, alt, text.images.alt, typed(form, alt, 300))}
      </div>
      ${form.issueOf(file)}${form.issueOf(alt)}
    </div>`
  }
  return html`<fieldset>
    <legend>${text.images.title}</legend>
    <p class="hint">${text.images.hint}</p>
    ${numberedFields(maxProjectImages, 2, text.images.more, isFilled, field)}
  </fieldset>`
}

function linkFields(form: Form): Html {
  const isFilled = (n: number): boolean =>
    [`label${n}`, `url${n}`].some((name) => form.value(name) !== '' || form.issueOf(name) !== null)
  const field = (n: number): Html => {
    const [label, url] = [`label${n}`, `url${n}`]
    return html`<div class="field">
      <div class="two">
        ${input(form, label, text.links.label(n), typed(form, label, 60))}
        ${input(form, url, text.links.url, html`type="url" placeholder="https://" ${typed(form, url, 500)}`)}
      </div>
      ${form.issueOf(label)}${form.issueOf(url)}
    </div>`
  }
  return html`<fieldset>
    <legend>${text.links.title}</legend>
    ${numberedFields(maxProjectLinks, 1, text.links.more, isFilled, field)}
  </fieldset>`
}
