import type { ApprovedVersion, PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReadStatement } from '../domains/releases/decisions/review-statement.service.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { approvedIcon } from './icons.ts'
import { renderPage } from './layout.ts'
import { reviewSection } from './review-section.ts'
import { countOf, dayOf, skillPath } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress } from './skill-list.ts'

export interface ReleasePageParts {
  release: PublicRelease
  /** Rendered and sanitised. */
  readme: Html
  review: ReadStatement
  /** Of the same name, this one among them. */
  versions: readonly ApprovedVersion[]
}

/** `/skills/NAME/VERSION`: what it is, how to get it, what the review saw, and only then what it says of itself. */
export function releasePage(site: Site, { release, readme, review, versions }: ReleasePageParts): Buffer {
  const { name, version, manifest } = release
  const path = skillPath(name, version)
  return renderPage(
    site,
    {
      title: `${name} ${version}`,
      description: manifest.description,
      path,
      section: 'catalog',
      markdown: `/docs-markdown/marketplace/${name}/${version}.md`,
      jsonLd: describe(site, release, path),
    },
    html`<main id="main" class="wrap release" tabindex="-1">
      <div class="title">
        <nav class="crumbs" aria-label="Where this is">
          <a href="${site.base}/skills">Catalog</a> /
          <a href="${site.base}${categoryPath(manifest.category)}">${manifest.category}</a>
        </nav>
        <div class="row">
          <h1 class="mono">${name} ${version}</h1>
          <p class="ok">
            ${approvedIcon} Reviewed and approved
            <time datetime="${release.approvedAt}">${dayOf(release.approvedAt)}</time>
          </p>
        </div>
        <p class="lead">${manifest.description}</p>
      </div>
      <aside class="evidence" aria-label="Install and review">
        ${install(site, release)} ${reviewSection(site, release, review)}
      </aside>
      <div class="body">
        ${newer(site, release, versions)}
        <section aria-label="Readme" class="prose">${readme}</section>
        ${manifest.examples.map((example, index) => exampleSection(example, index, manifest.examples.length))}
        <section aria-labelledby="io">
          <h2 id="io">Input and output</h2>
          <dl class="pairs">
            <dt>Input</dt>
            <dd>${manifest.inputs}</dd>
            <dt>Output</dt>
            <dd>${manifest.outputs}</dd>
          </dl>
        </section>
        ${earlier(site, release, versions)}
      </div>
      <aside class="facts" aria-label="Facts">
        <section>
          <h2>Digest</h2>
          <code class="box">${release.sha256}</code>
          <p>SHA-256 of the module. <code>skill</code> refuses any other bytes.</p>
        </section>
        ${facts(site, release, versions)}
      </aside>
    </main>`,
  )
}

const categoryPath = (category: string): string => pageAddress({ path: '/skills', query: { category } }, 0)

const packagePath = ({ name, version }: PublicRelease): string =>
  `/api/marketplace/skills/${name}/${version}/package`

function install(site: Site, release: PublicRelease): Html {
  return html`<section>
    <h2>Install</h2>
    <code class="box">skill install ${release.name}@${release.version}</code>
    <p>
      or <a href="${site.base}${packagePath(release)}" download>download the module</a>,
      ${countOf(release.size)} bytes
    </p>
    <p class="text">To have <a href="${site.base}/#developers">skill</a>, which needs Node 20:</p>
    <code class="box">${installLine(site.url)}</code>
  </section>`
}

function exampleSection(
  { input, output }: { input: string; output: string },
  index: number,
  count: number,
): Html {
  const title = count === 1 ? 'Example' : `Example ${index + 1} of ${count}`
  const side = (name: string, text: string): Html =>
    html`<div>
      <p>${name}</p>
      ${text === '' ? html`<p>empty</p>` : html`<pre tabindex="0" role="group" aria-label="${title}, ${name.toLowerCase()}">${`\n${text}`}</pre>`}
    </div>`
  return html`<section aria-labelledby="example-${index + 1}">
    <h2 id="example-${index + 1}">${title}</h2>
    <div class="example">${side('Standard input', input)}${side('Standard output', output)}</div>
  </section> `
}

/** Versions that came in before this one, with what was said at their approval. */
function earlier(site: Site, { id, name }: PublicRelease, versions: readonly ApprovedVersion[]): Html | null {
  const before = versions.filter((version) => version.id < id)
  if (before.length === 0) return null
  return html`<section aria-labelledby="earlier">
    <h2 id="earlier">Earlier reviews</h2>
    <ul class="plain reviews">
      ${before.map(
        ({ version, approvedAt, reason }) =>
          html`<li>
            <a class="mono" href="${site.base}${skillPath(name, version)}">${version}</a
            ><span class="ok small"
              >${approvedIcon} approved <time datetime="${approvedAt}">${dayOf(approvedAt)}</time></span
            >
            <p>“${reason}”</p>
          </li>`,
      )}
    </ul>
  </section>`
}

function newer(site: Site, { id, name }: PublicRelease, versions: readonly ApprovedVersion[]): Html | null {
  const latest = versions.at(0)
  if (latest === undefined || latest.id <= id) return null
  return html`<p class="note text">
    ${name} <a href="${site.base}${skillPath(name, latest.version)}">${latest.version}</a> came in later and
    is approved too.
  </p> `
}

function facts(site: Site, release: PublicRelease, versions: readonly ApprovedVersion[]): Html {
  const { name, version, manifest, publisher, ownerId, createdAt } = release
  const links = versions.map((one, index) => [
    index > 0 && ', ',
    one.version === version
      ? one.version
      : html`<a href="${site.base}${skillPath(name, one.version)}">${one.version}</a>`,
  ])
  return html`<section>
    <h2 class="unseen">Facts</h2>
    <dl class="pairs">
      <dt>Publisher</dt>
      <dd><a href="${site.base}/publishers/${ownerId}">${publisher}</a></dd>
      <dt>Category</dt>
      <dd><a href="${site.base}${categoryPath(manifest.category)}">${manifest.category}</a></dd>
      <dt>Licence</dt>
      <dd>${manifest.license}</dd>
      <dt>Submitted</dt>
      <dd><time datetime="${createdAt}">${dayOf(createdAt)}</time></dd>
      <dt>Versions</dt>
      <dd>${links}</dd>
      <dt>For agents</dt>
      <dd>
        <a href="${site.base}/docs-markdown/marketplace/${name}/${version}.md">Markdown</a>,
        <a href="${site.base}/api/marketplace/skills/${name}/${version}/manifest">manifest</a>
      </dd>
    </dl>
  </section>`
}

function describe(site: Site, release: PublicRelease, path: string): object[] {
  const { name, version, manifest, publisher, ownerId, createdAt, approvedAt, size } = release
  const catalog = `${site.url}/skills`
  const context = 'https://schema.org'
  const crumb = (position: number, title: string, item: string): object => ({
    '@type': 'ListItem',
    position,
    name: title,
    item,
  })
  return [
    {
      '@context': context,
      '@type': 'SoftwareApplication',
      name,
      softwareVersion: version,
      description: manifest.description,
      url: `${site.url}${path}`,
      downloadUrl: `${site.url}${packagePath(release)}`,
      fileSize: `${size} bytes`,
      license: manifest.license,
      applicationCategory: 'DeveloperApplication',
      applicationSubCategory: manifest.category,
      operatingSystem: 'WASI preview 1',
      dateCreated: createdAt,
      datePublished: approvedAt,
      author: { '@type': 'Person', name: publisher, url: `${site.url}/publishers/${ownerId}` },
      offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
      isAccessibleForFree: true,
    },
    {
      '@context': context,
      '@type': 'BreadcrumbList',
      itemListElement: [
        crumb(1, 'Catalog', catalog),
        crumb(2, manifest.category, `${site.url}${categoryPath(manifest.category)}`),
        crumb(3, `${name} ${version}`, `${site.url}${path}`),
      ],
    },
  ]
}
