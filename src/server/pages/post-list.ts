import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { imageElement } from './images.ts'
import type { FindImage } from './images.ts'
import { dayOf } from './site.ts'
import type { Site } from './site.ts'

/** A list of posts. `level` is the level of their headings. */
export function postList(site: Site, find: FindImage, posts: readonly PublishedPost[], level: 2 | 3): Html {
  return html`<ol class="plain">
    ${posts.map((post) => entry(site, find, post, level))}
  </ol>`
}

function entry(site: Site, find: FindImage, post: PublishedPost, level: 2 | 3): Html {
  const image = imageElement(site, find, post.cover === null ? null : { ...post.cover, alt: '' }, {
    sizes: '160px',
  })
  const link = html`<a href="${site.base}/blog/${post.slug}">${post.title}</a>`
  return html`<li class="entry${image !== null && ' pic'}">
    ${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
    <p class="quiet">${post.summary}</p>
    <p class="small quiet">
      <time datetime="${post.publishedAt}">${dayOf(post.publishedAt)}</time>, ${post.author}
    </p>
    ${image}
  </li> `
}
