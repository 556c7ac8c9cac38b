import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ApprovedProject } from '../domains/showcase/approved-projects.service.ts'
import { installLine } from '../../shared/terminal-lines.ts'
import { html } from './html.ts'
import { renderPage, searchForm } from './layout.ts'
import { texts } from './pages.texts.ts'
import type { FindImage } from './images.ts'
import { postList } from './post-list.ts'
import { projectGrid } from './showcase.page.ts'
import { siteName } from './site.ts'
import type { Site } from './site.ts'
import { skillList } from './skill-list.ts'

interface HomePageParts {
  newest: readonly PublicRelease[]
  posts: readonly PublishedPost[]
  projects: readonly ApprovedProject[]
  findImage: FindImage
}

/** `/`: what the site is, and the newest skills, projects and posts. */
export function homePage(site: Site, { newest, posts, projects, findImage }: HomePageParts): Buffer {
  const { home } = texts
  return renderPage(
    site,
    {
      title: siteName,
      description: home.lead,
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
        <h1>${home.title}</h1>
        <p class="lead">${home.lead}</p>
      </div>
      <div class="narrow">${searchForm(site, '', texts.layout.searchPage)}</div>
      <section aria-labelledby="newest">
        <h2 id="newest">${home.newest}</h2>
        ${
          newest.length === 0
            ? html`<div class="empty"><p>${texts.catalog.none}</p></div>`
            : html`${skillList(site, newest, home.newest)}
                <p class="more"><a href="${site.base}/skills">${home.allSkills(site.skills)}</a></p>`
        }
      </section>
      ${
        projects.length > 0 &&
        html`<section aria-labelledby="made">
          <h2 id="made">${home.projects}</h2>
          ${projectGrid(site, findImage, projects, 3)}
          <p class="more"><a href="${site.base}/showcase">${home.allProjects}</a></p>
        </section>`
      }
      ${
        posts.length > 0 &&
        html`<section aria-labelledby="news">
          <h2 id="news">${home.posts}</h2>
          ${postList(site, findImage, posts, 3)}
          <p class="more"><a href="${site.base}/blog">${home.allPosts}</a></p>
        </section>`
      }
      <section aria-labelledby="developers">
        <h2 id="developers">${home.developers.title}</h2>
        <p class="text quiet">${home.developers.client(`${site.base}/install.sh`)}</p>
        <code class="box text">${installLine(site.url)}</code>
        <p class="text quiet">${home.developers.commands}</p>
      </section>
      <section aria-labelledby="agents">
        <h2 id="agents">${home.agents.title}</h2>
        <p class="text quiet">
          ${home.agents.formats(
            `${site.base}/llms.txt`,
            `${site.base}/docs-markdown/site/marketplace.md`,
            `${site.base}/openapi.json`,
          )}
        </p>
      </section>
    </main>`,
  )
}
