import type { ApprovedVersion, PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReadStatement } from '../domains/releases/decisions/review-statement.service.ts'
import type { Owner } from '../../shared/contracts/owners.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { approvedIcon } from './icons.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import { reviewSection } from './review-section.ts'
import { countOf, dayOf, skillPath } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress } from './skill-list.ts'

const text = texts.release

interface ReleasePageParts {
  release: PublicRelease
  /** Rendered and sanitized. */
  readme: Html
  review: ReadStatement
  /** All approved versions of the skill, including this one. */
  versions: readonly ApprovedVersion[]
  /** Everyone who may publish a new version. */
  owners: readonly Owner[]
}

/** `/skills/NAME/VERSION`: install line and review before the publisher's own texts. */
export function releasePage(
  site: Site,
  { release, readme, review, versions, owners }: ReleasePageParts,
): Buffer {
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
        <nav class="crumbs" aria-label="${texts.layout.breadcrumb}">
          <a href="${site.base}/skills">${texts.catalog.title}</a> /
          <a href="${site.base}${categoryPath(manifest.category)}">${manifest.category}</a>
        </nav>
        <div class="row">
          <h1 class="mono">${name} ${version}</h1>
          <p class="ok">
            ${approvedIcon} ${text.approved}
            <time datetime="${release.approvedAt}">${dayOf(release.approvedAt)}</time>
          </p>
        </div>
        <p class="lead">${manifest.description}</p>
        ${deprecation(site, release)}
      </div>
      <aside class="evidence" aria-label="${text.aside}">
        ${install(site, release)} ${reviewSection(site, release, review)}
      </aside>
      <div class="body">
        ${newer(site, release, versions)}
        <section aria-label="${text.readme}" class="prose">${readme}</section>
        ${manifest.examples.map((example, index) => exampleSection(example, index, manifest.examples.length))}
        <section aria-labelledby="io">
          <h2 id="io">${text.io.title}</h2>
          <dl class="pairs">
            <dt>${text.io.input}</dt>
            <dd>${manifest.inputs}</dd>
            <dt>${text.io.output}</dt>
            <dd>${manifest.outputs}</dd>
          </dl>
        </section>
        ${earlier(site, release, versions)}
      </div>
      <aside class="facts" aria-label="${text.facts.title}">
        <section>
          <h2>${text.digest.title}</h2>
          <code class="box">${release.sha256}</code>
          <p>${text.digest.hint}</p>
        </section>
        ${facts(site, release, versions, owners)}
      </aside>
    </main>`,
  )
}

const categoryPath = (category: string): string => pageAddress({ path: '/skills', query: { category } })

const packagePath = ({ name, version }: PublicRelease): string =>
  `/api/marketplace/skills/${name}/${version}/package`

function install(site: Site, release: PublicRelease): Html {
  return html`<section>
    <h2>${text.install.title}</h2>
    <code class="box">skill install ${release.name}@${release.version}</code>
    <p>${text.install.download(`${site.base}${packagePath(release)}`, countOf(release.size))}</p>
    <p class="text">${text.install.client(`${site.base}/#developers`)}</p>
    <code class="box">${installLine(site.url)}</code>
  </section>`
}

function exampleSection(
  { input, output }: { input: string; output: string },
  index: number,
  count: number,
): Html {
  const title = text.example.title(index + 1, count)
  const side = (name: string, content: string): Html =>
    html`<div>
      <p>${name}</p>
      ${content === '' ? html`<p>${text.example.empty}</p>` : html`<pre tabindex="0" role="group" aria-label="${title}, ${name.toLowerCase()}">${`\n${content}`}</pre>`}
    </div>`
  return html`<section aria-labelledby="example-${index + 1}">
    <h2 id="example-${index + 1}">${title}</h2>
    <div class="example">${side(text.example.input, input)}${side(text.example.output, output)}</div>
  </section> `
}

/** Versions submitted before this one, with the notes of their approval. */
function earlier(site: Site, { id, name }: PublicRelease, versions: readonly ApprovedVersion[]): Html | null {
  const before = versions.filter((version) => version.id < id)
  if (before.length === 0) return null
  return html`<section aria-labelledby="earlier">
    <h2 id="earlier">${text.earlier.title}</h2>
    <ul class="plain reviews">
      ${before.map(
        ({ version, approvedAt, reason }) =>
          html`<li>
            <a class="mono" href="${site.base}${skillPath(name, version)}">${version}</a
            ><span class="ok small"
              >${approvedIcon} ${text.earlier.approved}
              <time datetime="${approvedAt}">${dayOf(approvedAt)}</time></span
            >
            <p>“${reason}”</p>
          </li>`,
      )}
    </ul>
  </section>`
}

function deprecation(site: Site, release: PublicRelease): Html | null {
  if (release.deprecation === null) return null
  const { reason, successor } = release.deprecation
  const [name = '', version] = successor?.split('@') ?? []
  const path = version === undefined ? `/skills/${name}` : skillPath(name, version)
  return html`<p class="note text">
    <strong>${text.deprecated.title}</strong> ${reason}
    ${successor !== null && text.deprecated.successor(`${site.base}${path}`, successor)}
  </p> `
}

function newer(site: Site, { id, name }: PublicRelease, versions: readonly ApprovedVersion[]): Html | null {
  const latest = versions.at(0)
  if (latest === undefined || latest.id <= id) return null
  return html`<p class="note text">
    ${name} <a href="${site.base}${skillPath(name, latest.version)}">${latest.version}</a> ${text.newer}
  </p> `
}

function facts(
  site: Site,
  release: PublicRelease,
  versions: readonly ApprovedVersion[],
  owners: readonly Owner[],
): Html {
  const { name, version, manifest, publisher, ownerId, createdAt } = release
  const links = versions.map((one, index) => [
    index > 0 && ', ',
    one.version === version
      ? one.version
      : html`<a href="${site.base}${skillPath(name, one.version)}">${one.version}</a>`,
  ])
  return html`<section>
    <h2 class="unseen">${text.facts.title}</h2>
    <dl class="pairs">
      <dt>${text.facts.publisher}</dt>
      <dd><a href="${site.base}/publishers/${ownerId}">${publisher}</a></dd>
      <dt>${text.facts.owners}</dt>
      <dd>${owners.length === 0 ? text.facts.noOwner : owners.map((one) => one.publisher).join(', ')}</dd>
      <dt>${text.facts.category}</dt>
      <dd><a href="${site.base}${categoryPath(manifest.category)}">${manifest.category}</a></dd>
      <dt>${text.facts.license}</dt>
      <dd>${manifest.license}</dd>
      <dt>${text.facts.submitted}</dt>
      <dd><time datetime="${createdAt}">${dayOf(createdAt)}</time></dd>
      <dt>${text.facts.versions}</dt>
      <dd>${links}</dd>
      <dt>${text.facts.agents}</dt>
      <dd>
        <a href="${site.base}/docs-markdown/marketplace/${name}/${version}.md">${text.facts.markdown}</a>,
        <a href="${site.base}/api/marketplace/skills/${name}/${version}/manifest">${text.facts.manifest}</a>
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
        crumb(1, texts.catalog.title, catalog),
        crumb(2, manifest.category, `${site.url}${categoryPath(manifest.category)}`),
        crumb(3, `${name} ${version}`, `${site.url}${path}`),
      ],
    },
  ]
}
