import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ApprovedProject } from '../domains/showcase/approved-projects.service.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import { html } from './html.ts'
import { renderPage, searchForm } from './layout.ts'
import type { FindImage } from './pictures.ts'
import { postList } from './post-list.ts'
import { projectGrid } from './showcase.page.ts'
import { plural, siteName } from './site.ts'
import type { Site } from './site.ts'
import { skillList } from './skill-list.ts'

export interface HomePageParts {
  newest: readonly PublicRelease[]
  posts: readonly PublishedPost[]
  projects: readonly ApprovedProject[]
  findImage: FindImage
}

const claim = 'Skills that a person has looked at'
const explanation =
  'Free command modules for agents and people. Each release is read by a person, who can run it in a sandbox, and ' +
  'approved before anybody can download it. Its page says what the review saw.'

/** `/`: what this is, and what is new of everything. */
export function homePage(site: Site, { newest, posts, projects, findImage }: HomePageParts): Buffer {
  return renderPage(
    site,
    {
      title: siteName,
      description: explanation,
      path: '/',
      section: null,
      markdown: '/llms.txt',
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'WebSite',
          name: siteName,
          url: `${site.url}/`,
          potentialAction: {
            '@type': 'SearchAction',
            target: { '@type': 'EntryPoint', urlTemplate: `${site.url}/skills?q={search_term_string}` },
            'query-input': 'required name=search_term_string',
          },
        },
      ],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <div class="hero">
        <h1>${claim}</h1>
        <p class="lead">${explanation}</p>
      </div>
      <div class="narrow">${searchForm(site, '', 'Search by name, text, category or person')}</div>
      <section aria-labelledby="newest">
        <h2 id="newest">Newest skills</h2>
        ${
          newest.length === 0
            ? html`<div class="empty">
                <p>
                  No skill has been approved here yet. A skill appears as soon as a reviewer has approved it.
                </p>
              </div>`
            : html`${skillList(site, newest, 'Newest skills')}
                <p class="more"><a href="${site.base}/skills">See ${plural(site.skills, 'skill')}</a></p>`
        }
      </section>
      ${
        projects.length > 0 &&
        html`<section aria-labelledby="made">
          <h2 id="made">Made with skills</h2>
          ${projectGrid(site, findImage, projects, 3)}
          <p class="more"><a href="${site.base}/showcase">See the showcase</a></p>
        </section>`
      }
      ${
        posts.length > 0 &&
        html`<section aria-labelledby="news">
          <h2 id="news">From the blog</h2>
          ${postList(site, findImage, posts, 3)}
          <p class="more"><a href="${site.base}/blog">See all posts</a></p>
        </section>`
      }
      <section aria-labelledby="developers">
        <h2 id="developers">For developers</h2>
        <p class="text quiet">
          <code>skill</code> is this registry’s client for a terminal: one file, which needs Node 20 or newer.
          To install it or to upgrade it, run this, or
          <a href="${site.base}/install.sh">read what it does</a> first:
        </p>
        <code class="box text">${installLine(site.url)}</code>
        <p class="text quiet">
          <code>skill install NAME</code> brings a skill into a project and pins its version and digest.
          <code>skill run NAME</code> runs it in a sandbox that grants nothing. <code>skill init</code> begins
          one of your own, <code>skill check</code> looks at it as the reviewers do, and
          <code>skill publish</code> sends it to them.
        </p>
      </section>
      <section aria-labelledby="agents">
        <h2 id="agents">For agents and programs</h2>
        <p class="text quiet">
          Everything here is also there as Markdown and JSON, without a key: begin with
          <a href="${site.base}/llms.txt">llms.txt</a>, the
          <a href="${site.base}/docs-markdown/site/marketplace.md">catalog as Markdown</a>, or the
          <a href="${site.base}/openapi.json">description of the interface</a>.
        </p>
      </section>
    </main>`,
  )
}
